import type { ApiName, GatewayHeader, Target } from '../contract/target.ts';

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The environment variable that holds a credential: the one that the target names, else `SWITCHYARD_API_KEY`,
 * `SWITCHYARD_TOKEN` or `SWITCHYARD_WORKFLOW_TOKEN`, and `SWITCHYARD_ROUTER_COLLEAGUE` for the colleague of the router.
 */
export function credentialVariable(target: Target, api: ApiName, name: string): string {
  const given = target.variables?.[api]?.[name];
  if (given !== undefined && isName.test(given)) return given;
  if (name === 'main' && api === 'workflow') return 'SWITCHYARD_WORKFLOW_TOKEN';
  if (name === 'main') return target.router?.scheme === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY';
  return `SWITCHYARD_${api.toUpperCase()}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The environment variable for the value of a header: the one that the configuration names, else `SWITCHYARD_HEADER_X_TENANT`. */
export function gatewayVariable({ name, variable }: GatewayHeader): string {
  if (variable !== undefined && isName.test(variable)) return variable;
  return `SWITCHYARD_HEADER_${name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}
