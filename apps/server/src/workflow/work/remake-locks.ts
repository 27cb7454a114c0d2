import { commitMessage } from '@beadloom/core/records/branch.ts'
import type { Remade } from '@beadloom/core/execution/remake-locks.ts'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
import { saveRefOf } from '../../execution/save-ref.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import { beginSession, orderOf, signedCheckoutOf } from '../../sandbox/begin-session.ts'
import { closeSandbox, openSandbox } from '../../sandbox/open-sandbox.ts'
import { runSession } from '../../sandbox/session.ts'
import { networkOfSetup } from '../../sandbox/ways-out.ts'

/** The time limit of each tool: some resolve everything anew, and ask a registry for minutes. */
const LIMIT_SECONDS = 600
const MOST_NAMED = 10

/**
 * Runs the tools of lock files on a checkout of a merge, in a container of their own: a project may have a program in
 * such a tool's input. They get the network that setup has, and none of its secrets. Returns the commit that has the
 * files; null, and a warning: the agent has to do it.
 */
export async function remakeLocks(
  live: LiveExecution,
  environment: string,
  commit: string,
  locks: readonly Remade[],
): Promise<string | null> {
  const { deps, project, settings, bead } = live
  const { attempt, branch } = storedOf(live)
  const session = await beginSession(live, 'setup', attempt)
  const ref = saveRefOf(session)
  const network = networkOfSetup(settings)
  const sandbox = await openSandbox(live, { kind: 'setup', serial: `locks-${attempt}`, environment, network })
  try {
    const facts = await runSession(live, sandbox, {
      id: session,
      attempt,
      order: orderOf(live, session, await signedCheckoutOf(live, branch, commit), {
        kind: 'work',
        prompt: '',
        fresh: true,
        commitMessage: commitMessage(bead.id, bead.title),
        saveRef: ref,
        leaves: ref,
        agent: { name: 'command', command: commandOf(locks), model: 'none' },
        blockedGraceMs: deps.blockedGraceMs,
      }),
      access: { project: project.id, execution: live.id, pushable: { only: ref } },
      agent: null,
      signal: live.stopper.signal,
    })
    throwIfStopped(live.stopper)
    const left = facts.outcome === 'success' ? await deps.hub.tip(project.id, ref) : null
    const why = left === null ? facts.detail : await strayIn(live, commit, left, locks)
    if (why === null) return left
    await warn(live, `${namesOf(locks)} could not be made anew by its tool, so the agent is asked to: ${why}`)
    return null
  } finally {
    await closeSandbox(live, sandbox)
  }
}

/** Keeps nothing but the lock files of the tools' output. */
function commandOf(locks: readonly Remade[]): string {
  const tools = locks.map(({ command }) => `timeout -k 10 ${LIMIT_SECONDS} sh -c ${shellWord(command)} < /dev/null`)
  const files = locks.flatMap(({ writes }) => writes).map((path) => `git add -f -- ${shellWord(path)}`)
  return ['set -e', ...tools, ...files, 'git checkout -q -- .', 'git clean -ffdq'].join('\n')
}

/** Names files that changed beside the lock files; null: none did. The container's own word does not count. */
async function strayIn(
  { deps, project }: LiveExecution,
  from: string,
  to: string,
  locks: readonly Remade[],
): Promise<string | null> {
  const allowed = new Set(locks.flatMap(({ writes }) => writes))
  const strays = (await deps.hub.diff(project.id, from, to)).filter(
    ({ path, status }) => !allowed.has(path) || status === 'D',
  )
  return strays.length === 0
    ? null
    : `it changed ${strays
        .slice(0, MOST_NAMED)
        .map(({ path }) => path)
        .join(', ')} too`
}

const namesOf = (locks: readonly Remade[]): string => locks.map(({ path }) => path).join(', ')
