/** Goes together with the bridge in `sandbox.ts`. */
export type App = (request: Request) => Promise<Response>;
