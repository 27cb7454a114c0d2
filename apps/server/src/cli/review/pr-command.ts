import type { Command } from 'commander'
import type { Page } from '@beadloom/core/api/api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { isLivePullRequest } from '@beadloom/core/review/pull-request.ts'
import { systemClock, type Clock } from '../../process/clock.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import { projectOption, type Call, type CommandContext } from '../context.ts'
import { clientExits, CliError, exitCode, noEndYet } from '../exit-code.ts'
import { followExecution } from '../executions/follow-logs.ts'
import { followForPeople } from '../executions/follow-for-people.ts'
import { print, type Terminal } from '../terminal/output.ts'
import { pullRequestLines } from './pr-text.ts'
import { oneLiner } from '../terminal/terminal-text.ts'
import { NoServer } from '../../health/server-file.ts'

export function addPrCommand(program: Command, context: CommandContext): void {
  const { terminal } = context
  context
    .command(program, {
      usage: 'pr',
      description: 'review the work branch and open a pull request if it is ready',
      more: 'If the review says it is not ready, nothing is opened and the issues are shown. If the remote is not a supported forge, only the branch is pushed, and a compare link is printed if there is one.\nThe exit code is 0 when the pull request is open or the branch pushed, and 1 when it is not ready or failed; without --wait it is also 0 while the work is in progress.',
      examples: [
        'beadloom pr --wait',
        'beadloom pr --title "Greetings in three languages"',
        'beadloom pr --wait --json',
        'beadloom pr --cancel',
      ],
      exits: [...clientExits, 'interrupted'],
    })
    .addOption(projectOption())
    .option('--wait', 'wait until it is done')
    .option('--title <text>', 'title (default: generated from the beads)')
    .option('--cancel', 'cancel the pull request in progress, and its review')
    .action(
      context.run(async (call) => {
        const { api, json, options } = call
        const asked = await ask(call, context.cwd)
        if (options['wait'] === true) noEndYet()
        const view = options['wait'] === true ? await followed(api, asked, json, terminal) : asked
        const review =
          view.state === 'not_ready' && view.review !== null
            ? await api.get<ReviewView>(`/api/reviews/${segment(view.review)}`)
            : null
        print(terminal, json, { ...view, reviewed: review }, () => pullRequestLines(view, review))
        process.exitCode = exitOfPullRequest(view.state)
      }),
    )
}

async function ask({ api, options }: Call, cwd: string): Promise<PullRequestView> {
  const how = (id: string) => `beadloom pr --project ${id}`
  const id = await chooseProject(api, { named: options['project'], cwd, how })
  const path = `/api/projects/${segment(id)}/pull-requests`
  const title = options['title']
  if (options['cancel'] !== true)
    return api.send<PullRequestView>('POST', path, typeof title === 'string' ? { title } : {})
  const [newest] = (await api.get<Page<PullRequestView>>(`${path}?limit=1`)).items
  if (newest && isLivePullRequest(newest.state))
    return api.send<PullRequestView>('POST', `/api/pull-requests/${segment(newest.id)}/cancel`)
  throw new CliError(`no pull request is in progress for ${id}. Start one: beadloom pr --project ${id}`)
}

export function exitOfPullRequest(state: PullRequestView['state']): number {
  return state === 'not_ready' || state === 'failed' ? exitCode.failed : exitCode.ok
}

const LOOK_MS = 500
/** A server that restarts is back within this. */
const GIVE_UP_AFTER_MS = 60_000

/** Follows the review and the steps after it. A person sees the log; a pipe gets only the result. */
async function followed(
  api: ApiClient,
  asked: PullRequestView,
  json: boolean,
  terminal: Terminal,
  clock: Clock = systemClock,
): Promise<PullRequestView> {
  const interrupted = (): void => {
    terminal.note(`\n${asked.id} continues. Follow it again: beadloom pr --wait; stop it: beadloom pr --cancel`)
    process.exit(exitCode.interrupted)
  }
  process.on('SIGINT', interrupted)
  try {
    const seen = new Set<string>()
    let told = ''
    for (let view = asked; ; view = await lookAgain(api, view, clock)) {
      if (!isLivePullRequest(view.state)) return view
      if (!json && view.detail !== told) terminal.note(oneLiner(view.detail))
      told = view.detail
      if (view.state === 'reviewing' && view.review !== null && !seen.has(view.review)) {
        seen.add(view.review)
        await (terminal.watched && !json
          ? followForPeople(api, view.review, terminal)
          : followExecution(api, view.review, null, clock))
      } else await clock.sleep(LOOK_MS)
    }
  } finally {
    process.off('SIGINT', interrupted)
  }
}

async function lookAgain(api: ApiClient, { id }: PullRequestView, clock: Clock): Promise<PullRequestView> {
  const since = clock.monotonic()
  for (;;) {
    try {
      return await api.get<PullRequestView>(`/api/pull-requests/${segment(id)}`)
    } catch (error) {
      if (!(error instanceof NoServer) || clock.monotonic() - since > GIVE_UP_AFTER_MS) throw error
      await clock.sleep(LOOK_MS)
    }
  }
}
