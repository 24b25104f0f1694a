export const rejected = { mustBeRejected: true } as const;
export const completed = { mustAnswer: [200] };
