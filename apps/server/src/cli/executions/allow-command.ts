import type { Command } from 'commander'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { segment } from '../api-client.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { print } from '../terminal/output.ts'

export function addAllowCommand(program: Command, context: CommandContext): void {
  const { terminal, cwd, env } = context
  context
    .command(program, {
      usage: 'allow <execution>',
      description: 'allow refused work on a bead: weaker tests, unchecked code, a possible secret',
      more: 'The work is checked again without an agent, merged and published. Who allowed it and why is recorded with the execution. Look at the change first: "beadloom diff BEAD".',
      arguments: { execution: 'execution id or bead id' },
      examples: ['beadloom allow bl-4f2 --why "the old format is gone, and its tests with it"'],
    })
    .addOption(projectOption())
    .option('--why <text>', 'the reason, for the record')
    .option('--by <name>', 'who allows it (default: your user name)')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const how = (id: string) => `beadloom allow ${given} --project ${id}`
        const id = await chooseExecution(api, given, { named: options['project'], cwd, how })
        const by = String(options['by'] ?? env['USER'] ?? '')
        const body = { ...(options['why'] ? { why: options['why'] } : {}), ...(by === '' ? {} : { by }) }
        const execution = await api.send<ExecutionView>('POST', `/api/executions/${segment(id)}/allow-tests`, body)
        print(terminal, json, execution, () =>
          execution.id === id
            ? 'Allowed: the next check of this execution accepts it.'
            : `Allowed. Queued ${execution.id}, which checks the work again. Follow it: beadloom logs -f ${execution.id}`,
        )
      }),
    )
}
