import { commitMessage } from '@beadloom/core/records/branch.ts'
import { firstToTell } from '@beadloom/core/bead/said-text.ts'
import { failingOnBase } from '@beadloom/core/environment/base/beside-base.ts'
import { failuresOf, isConflict, type NextStep } from '@beadloom/core/execution/next-step.ts'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import type { Verification, VerifyStep } from '@beadloom/core/records/verification.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { saveRefOf } from '../../execution/save-ref.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { beginSession, orderOf, signedCheckoutOf } from '../../sandbox/begin-session.ts'
import type { SessionPlan } from '../../sandbox/session-plan.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { baseOf } from '../../verify/base/base-of.ts'
import { workerOrderOf } from '../agent-order-of.ts'
import { nextPrompt } from '../next-prompt.ts'
import { readInPrompt } from '../questions.ts'
import { checkLogs } from './check-logs.ts'
import { digestOfFailures } from './failure-digest.ts'
import { promptFor, type FailedBefore } from './prompt-inputs.ts'

/** The limit of a difference in the order, which has to fit through a gate (`MOST_AT_A_GATE`); more is fetched. */
const MOST_WITH_ORDER = 128 * 1024

/**
 * A new session of the agent, with the failures of earlier attempts.
 *
 * @param inEnvironment the commit in a workspace that was just opened
 */
export async function sessionPlan(
  live: LiveExecution,
  attempt: number,
  workspace: Pick<Workspace, 'isUsed' | 'checkedOut'>,
  inEnvironment: string | null,
): Promise<SessionPlan> {
  const id = await beginSession(live, 'work', attempt)
  const before = await failedBefore(live, attempt)
  // The others wait for a call of its model.
  const said = firstToTell(live.deps.store.waitingMessages(live.id))
  const { prompt, task, failed } = await promptFor(live, attempt, before, said)
  const length = { attempt, chars: prompt.length, taskChars: task.length }
  const told = live.deps.store.addEvent(live.id, id, 'prompt', length)
  const git = isAtItsBeginning(live)
    ? await fromTheBeginning(live, workspace.checkedOut, inEnvironment)
    : await checkout(live)
  const continues = nextPrompt(said, endingOf(live, id), failed)
  const plan = await planOf(live, { id, attempt, prompt, continues, fresh: !workspace.isUsed, git, before })
  await told
  await readInPrompt(live, id, { said })
  return plan
}

/**
 * The plan of a session that an earlier server began. It has its order; this one is only for an agent that had not
 * asked yet. Earlier sessions' leftovers in the workspace stay there.
 */
export async function adoptedPlan(
  live: LiveExecution,
  { session, attempt, first }: Extract<NextStep, { do: 'adopt' }>,
): Promise<SessionPlan> {
  const before = await failedBefore(live, attempt)
  const told = live.deps.store
    .messages(live.id)
    .filter(({ delivered }) => delivered?.session === session && delivered.through === 'prompt')
  const { prompt, failed } = await promptFor(live, attempt, before, told)
  const git = isAtItsBeginning(live) ? await fromTheBeginning(live, null, null) : await checkout(live)
  const continues = nextPrompt(told, endingOf(live, session), failed)
  return planOf(live, { id: session, attempt, prompt, continues, fresh: first, git, before })
}

/** An agent that broke, or asked something, has not done its task yet. */
function endingOf({ id, deps }: LiveExecution, session: SessionId): string {
  const earlier = deps.store.sessions(id).filter((one) => one.kind === 'work' && one.id !== session)
  const rest = earlier.at(-1)?.outcome === 'success' ? '' : ', then continue your task'
  return `Do what it asks for${rest}, commit and push as before, and end your turn.`
}

/** The failures of earlier attempts; null before the first. */
async function failedBefore(live: LiveExecution, attempt: number): Promise<FailedBefore | null> {
  if (attempt === 1) return null
  const rows = live.deps.store.verifications(live.id).filter((row) => row.attempt < attempt)
  // A person had the last word, and nothing of it failed.
  if (failuresOf(rows, attempt - 1).length === 0) return null
  // A failure is repeated to see whether it is steady: the last output says enough.
  const isLast = (row: Verification) =>
    !isConflict(row) &&
    !rows.some((one) => one.attempt === row.attempt && one.purpose === row.purpose && one.run > row.run)
  const logs = await checkLogs(live, rows.filter(isLast), (row) => `attempt-${row.attempt}`)
  return { digest: digestOfFailures(rows), logs }
}

/** Nobody has pushed to the branch yet, and the agent needs no other one, as it would to resolve a conflict. */
function isAtItsBeginning(live: LiveExecution): boolean {
  const { baseCommit, notice } = storedOf(live)
  const { store } = live.deps
  const worked = store.sessions(live.id).filter(({ kind }) => kind === 'work')
  return baseCommit !== null && notice === null && worked.length === 1 && !store.verifications(live.id).some(isConflict)
}

const checkout = (live: LiveExecution): Promise<GitOrder> => {
  const { branch, baseCommit } = storedOf(live)
  return signedCheckoutOf(live, branch, baseCommit ?? '')
}

/** With the workspace's missing commits, if its own are known and the difference is small. */
async function fromTheBeginning(
  live: LiveExecution,
  checkedOut: string | null,
  inEnvironment: string | null,
): Promise<GitOrder> {
  const git = await checkout(live)
  const order: GitOrder = { ...git, tip: git.commit, ...(checkedOut !== null && { ready: checkedOut }) }
  const has = checkedOut ?? inEnvironment
  if (has === null || has === git.commit) return order
  const pack = await live.deps.hub.pack(live.project.id, git.commit, has, MOST_WITH_ORDER)
  return pack === null ? order : { ...order, pack: pack.toString('base64') }
}

type Session = {
  id: SessionId
  attempt: number
  prompt: string
  continues: string | null
  fresh: boolean
  git: GitOrder
  before: FailedBefore | null
}

async function planOf(
  live: LiveExecution,
  { id, attempt, prompt, continues, fresh, git, before }: Session,
): Promise<SessionPlan> {
  const { bead, project, stopper } = live
  return {
    id,
    attempt,
    order: orderOf(live, id, git, {
      kind: 'work',
      prompt,
      ...(continues !== null && !fresh && { continues }),
      fresh,
      commitMessage: commitMessage(bead.id, bead.title),
      saveRef: saveRefOf(id),
      ...(before && before.logs.length > 0 && { files: [...before.logs] }),
      agent: await workerOrderOf(live, id, await checksOfAgent(live)),
      blockedGraceMs: live.deps.blockedGraceMs,
    }),
    access: { project: project.id, execution: live.id, pushable: { branch: git.branch } },
    agent: bead.id,
    signal: stopper.signal,
  }
}

/** Checks that fail on the base would send every agent back to the start. */
async function checksOfAgent(live: LiveExecution): Promise<VerifyStep[]> {
  const { failing } = await baseOf(live, storedOf(live).baseCommit)
  return live.settings.verify.filter((step) => failingOnBase(failing, step) === null)
}
