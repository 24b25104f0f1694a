/** The matrix of faults is split, so that cores share it; the parts take about as long as each other. */
export const readingFamilies = ['catalog', 'model', 'schema-document', 'errors', 'authentication', 'workflow'];
export const runningFamilies = ['run', 'submit', 'status', 'collect', 'cancel'];
export const toldFamilies = ['outcomes', 'providers', 'idempotency', 'quotas', 'assets', 'retention'];
/** Rules over the whole run have no faults of their own: each has to fail on one of the others'. */
export const wholeRunFamilies = ['passive', 'trace'];
