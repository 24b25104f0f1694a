import { type Command, Option } from 'commander';

/** Every command has these, because every part reads the effective specifications. */
export function withSpecFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--config <file>', 'configuration file (default: switchyard.config.ts when present)').env(
        'SWITCHYARD_CONFIG',
      ),
    )
    .addOption(
      new Option('--brand <word>', "the maker's word in header names and extension keys (default: Service)").env(
        'SWITCHYARD_BRAND',
      ),
    )
    .addOption(
      new Option(
        '--queue-statuses <waiting,running>',
        'the two queue statuses beside COMPLETED (default: IN_QUEUE,IN_PROGRESS)',
      ).env('SWITCHYARD_QUEUE_STATUSES'),
    )
    .option('--overlay <file...>', 'OpenAPI Overlay 1.0 documents, applied in order');
}
