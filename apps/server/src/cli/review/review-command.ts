import type { Command } from 'commander'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseProject, chooseProjectOf } from '../choose.ts'
import { projectOption, type Call, type CommandContext } from '../context.ts'
import { clientExits, executionExits, exitCode, exitOfExecution, noEndYet } from '../exit-code.ts'
import { followExecution } from '../executions/follow-logs.ts'
import { followForPeople } from '../executions/follow-for-people.ts'
import { print } from '../terminal/output.ts'
import { reviewText } from './review-text.ts'

export function addReviewCommand(program: Command, context: CommandContext): void {
  const { terminal } = context
  context
    .command(program, {
      usage: 'review [bead]',
      description: 'review the work on a bead, or the whole work branch',
      more: 'A fresh agent reads the committed diff and creates a bead for each issue it finds. If this commit was already reviewed, that review is shown again.\nThe exit code is 0 if the verdict is "ready" and 1 otherwise; without --wait it is also 0 while the review is still running.',
      arguments: { bead: 'bead id (default: the work branch)' },
      examples: [
        'beadloom review --wait',
        'beadloom review bl-4f2 --wait && echo "ready for a pull request"',
        'beadloom review bl-4f2 --again --json',
      ],
      exits: [...clientExits, ...executionExits],
    })
    .addOption(projectOption())
    .option('--wait', 'wait for the verdict')
    .option('--again', 'review again, even if this commit was already reviewed')
    .action(
      context.run(async (call) => {
        const { api, json } = call
        const asked = await ask(call, context.cwd)
        const wait = call.options['wait'] === true
        if (wait) noEndYet()
        if (wait && !isTerminal(asked.state) && !json) terminal.note(`Review ${asked.id} of ${asked.branch}.`)
        const view = wait && !isTerminal(asked.state) ? await followed(api, asked, json, context) : asked
        print(terminal, json, view, () => reviewText(view))
        process.exitCode = exitOf(view)
      }),
    )
}

async function ask({ api, args, options }: Call, cwd: string): Promise<ReviewView> {
  const bead = typeof args[0] === 'string' ? args[0] : null
  const how = (id: string) => `beadloom review ${bead === null ? '' : `${bead} `}--project ${id}`
  const choice = { named: options['project'], cwd, how }
  const id = bead === null ? await chooseProject(api, choice) : await chooseProjectOf(api, bead, choice)
  const body = { ...(bead === null ? {} : { bead }), ...(options['again'] === true ? { again: true } : {}) }
  return api.send<ReviewView>('POST', `/api/projects/${segment(id)}/reviews`, body)
}

async function followed(
  api: ApiClient,
  { id }: ReviewView,
  json: boolean,
  { terminal }: CommandContext,
): Promise<ReviewView> {
  await (json ? followExecution(api, id, null) : followForPeople(api, id, terminal))
  return api.get<ReviewView>(`/api/reviews/${segment(id)}`)
}

export function exitOf({ state, verdict }: Pick<ReviewView, 'state' | 'verdict'>): number {
  if (!isTerminal(state)) return exitCode.ok
  if (state !== 'COMPLETED') return exitOfExecution(state)
  return verdict === 'ready' ? exitCode.ok : exitCode.failed
}
