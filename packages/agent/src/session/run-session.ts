import type { EventBody } from '@beadloom/core/log/event-line.ts'
import type { AgentOrder, AgentWork, ReviewWork, Work } from '@beadloom/core/execution/session-order.ts'
import { assertNever } from '@beadloom/core/text/assert-never.ts'
import { AgentVoice, type AgentEnd } from '../ends/agent-end.ts'
import { runCommandAgent } from '../agents/command-agent.ts'
import { restoreCommandFiles } from '../workspace/command-files.ts'
import { Git } from '../workspace/git.ts'
import { runPresetAgent } from '../agents/preset-agent.ts'
import { hasChanges, publishWork } from '../workspace/publish-work.ts'
import { rebasesOnto } from '../workspace/rebases.ts'
import { runCommand, shell, type CommandEnd } from '../commands/run-command.ts'
import { writeExecutionFiles } from '../workspace/execution-files.ts'
import { runReviewer } from '../agents/review.ts'
import { leaveResult, rescueFiles, saveLeftover, type Saved } from '../workspace/save-leftover.ts'
import { hasMoreBeside } from '../workspace/work-beside.ts'
import { redactedOutput, type Redacted } from '../commands/redacted-output.ts'
import { filesWithSecrets } from '../workspace/files-with-secrets.ts'
import {
  commandStop,
  describeEnd,
  recordOutput,
  section,
  whyStopped,
  type SessionDeps,
} from '../commands/session-deps.ts'
import { isSystemError, orDiskFull, SessionFailure } from '../ends/session-failure.ts'
import {
  checkOutBranch,
  checkOutForSetup,
  checkOutForVerify,
  findDamage,
  ignoreWhatSetupMade,
  removeLocks,
  resumeBranch,
  resumeDetached,
} from '../workspace/workspace.ts'

/** A session that is stopped has 5 s for everything, which a huge workspace must not use up. */
const STATE_LIMIT_MS = 1000

export type Result = Omit<Extract<EventBody, { type: 'result' }>, 'type'>

/** Runs one session to its result. A problem in it is a `failed` result; a rejection is a bug of ours. */
export async function runSession(deps: SessionDeps): Promise<Result> {
  const { order, env, clock, stop } = deps
  const git = new Git(order.workspace, { env, clock, stop, onOutput: recordOutput(deps) })
  try {
    const result = await runWork(deps, git, order.work)
    return stop.aborted ? await stopped(deps) : result
  } catch (error) {
    if (!(error instanceof SessionFailure) && !isSystemError(error)) throw error
    // The error may have come before the work was saved.
    return stop.aborted ? await stopped(deps) : { ...failedOf(error), commit: await git.commitOf('HEAD'), dirty: true }
  }
}

/** Reports the workspace as it is. Nothing is saved here: the container is started again for that. */
async function stopped({ order, env, clock }: SessionDeps): Promise<Result> {
  const git = new Git(order.workspace, { env, clock, onOutput: () => {}, stop: AbortSignal.timeout(STATE_LIMIT_MS) })
  const commit = await git.commitOf('HEAD')
  const dirty = await holdsMore(git, order.git.commit)
  return failedResult('the session was stopped', { reason: 'stopped', commit, dirty })
}

/** Whether the workspace holds something that HEAD does not have. If that is unknown, it does not count as clean. */
const holdsMore = async (git: Git, base: string): Promise<boolean> =>
  (await hasChanges(git).catch(() => true)) || (await hasMoreBeside(git, base).catch(() => true))

function runWork(deps: SessionDeps, git: Git, work: Work): Promise<Result> {
  switch (work.kind) {
    case 'setup':
      return setUp(deps, git, work)
    case 'verify':
      return verify(deps, git, work)
    case 'work':
      return workOn(deps, git, work)
    case 'review':
      return review(deps, git, work)
    case 'save':
      return save(deps, git, work.ref)
    default:
      return assertNever(work)
  }
}

const failedResult = (text: string, rest: Partial<Result> = {}): Result => ({
  outcome: 'failed',
  text,
  commit: null,
  dirty: false,
  savedRef: null,
  exitCode: null,
  ...rest,
})

export const failedOf = (error: Error): Result =>
  failedResult(error.message, error instanceof SessionFailure ? { reason: error.reason } : {})

/** Git itself is quiet, so that a digest of the output is about the tests; this names what is checked out. */
const checkoutOf = (what: string) => ({
  command: `git checkout ${what.replace(/^([0-9a-f]{12})[0-9a-f]{28,}$/, '$1')}`,
})

async function setUp(
  deps: SessionDeps,
  git: Git,
  { command, timeoutMs, secrets = {}, clean }: Extract<Work, { kind: 'setup' }>,
): Promise<Result> {
  const checkOut = clean ? checkOutForVerify : checkOutForSetup
  await section(deps, 'checkout', () => checkOut(git, deps.order.git), checkoutOf(deps.order.git.commit))
  const { commit } = deps.order.git
  if (command === null) return { ...failedResult('nothing to set up', { commit }), outcome: 'success' }
  const redacted = redactedOutput(recordOutput(deps), Object.values(secrets))
  const own = { ...deps, env: { ...deps.env, ...secrets } }
  const result = await runShell(own, 'setup', 'the setup command', command, timeoutMs, redacted)
  if (result.outcome !== 'success') return { ...result, commit }
  const written = await filesWithSecrets(deps, secrets)
  if (written !== null) return failedResult(written, { commit, exitCode: 1 })
  await ignoreWhatSetupMade(git)
  return { ...result, commit }
}

async function verify(
  deps: SessionDeps,
  git: Git,
  { steps, all, tests }: Extract<Work, { kind: 'verify' }>,
): Promise<Result> {
  const { commit } = deps.order.git
  await section(deps, 'checkout', () => checkOutForVerify(git, deps.order.git, tests), checkoutOf(commit))
  const results: Result[] = []
  for (const { type, name, command, timeoutMs } of steps) {
    const result = await runShell(deps, name, `the ${type === 'custom' ? name : type} command`, command, timeoutMs)
    results.push(result)
    if (deps.stop.aborted || deps.writer.overflow.aborted) break
    // The other steps would only repeat its failure.
    if (all !== true && type === 'build' && result.outcome !== 'success') break
  }
  const failed = results.filter(({ outcome }) => outcome !== 'success')
  const said = failed.length > 0 ? failed : results.slice(-1)
  return { ...said[0]!, text: said.map(({ text }) => text).join('; '), commit }
}

async function runShell(
  deps: SessionDeps,
  title: string,
  what: string,
  command: string,
  timeoutMs: number,
  output: Redacted = { take: recordOutput(deps), end: async () => {} },
): Promise<Result> {
  const { env, clock, order } = deps
  const spec = { argv: shell(command), cwd: order.workspace, env, timeoutMs, signal: commandStop(deps) }
  const run = async () => {
    const end = await runCommand(spec, output.take, clock)
    await output.end()
    return end
  }
  // Null for a stopped command: 143 could also be its own exit code.
  const exitCode = ({ reason, exitCode }: CommandEnd) =>
    reason === 'exited' || reason === 'not-started' ? exitCode : null
  const end = await section(deps, title, run, { command, exitCode })
  const good = end.reason === 'exited' && end.exitCode === 0
  const said = deps.writer.overflow.aborted ? whyStopped(deps, what) : { text: describeEnd(what, end, timeoutMs) }
  return { ...failedResult(''), ...said, outcome: good ? 'success' : 'failed', exitCode: end.exitCode }
}

async function workOn(deps: SessionDeps, git: Git, work: AgentWork): Promise<Result> {
  const { order, stop } = deps
  const checkOut = () => {
    if (work.leaves !== undefined)
      return work.fresh ? checkOutForVerify(git, order.git) : resumeDetached(git, order.git)
    return work.fresh ? checkOutBranch(git, order.git) : resumeBranch(git, order.git)
  }
  await section(deps, 'checkout', checkOut, checkoutOf(work.leaves === undefined ? order.git.branch : order.git.commit))
  await writeExecutionFiles(git, work.files ?? [])
  await commandFiles(deps, git, work.agent)
  // Nobody can have rebased in the first session, and another git costs time before the agent's first word.
  const rebases = work.fresh || work.leaves !== undefined ? 0 : await rebasesOnto(git, order.git)
  const voice = new AgentVoice(deps, work.blockedGraceMs)
  const command = work.agent.name === 'command' ? { command: work.agent.command } : {}
  const end = await section(deps, 'agent', () => runAgent(deps, voice, work).finally(() => voice.end()), {
    ...command,
    exitCode: (value) => value.exitCode,
  })
  if (stop.aborted) return failedResult(end.text)
  await removeLocks(git) // left by a git that was killed with the agent

  const damage = await findDamage(git)
  if (damage !== null) {
    const text = `the agent removed or damaged the repository (${damage})`
    return keepLeftover(deps, git, work, { ...end, outcome: 'failed', reason: 'repository_damaged', text }, () =>
      rescueFiles(git, order.git, work.saveRef),
    )
  }
  const leave = (left: AgentEnd) =>
    keepLeftover(deps, git, work, left, () => saveLeftover(git, order.git, work.saveRef))
  if (voice.blocked !== null)
    return leave({ ...end, outcome: 'failed', reason: undefined, text: `the agent is blocked: ${voice.blocked}` })
  if (end.outcome !== 'success') return leave(end)
  try {
    const { leaves } = work
    const commit =
      leaves === undefined
        ? await publishWork(git, deps, work.commitMessage, rebases)
        : await section(deps, 'leave', () => leaveResult(git, order.git, leaves))
    // The result of a subtask has all of HEAD and the files; only work beside them is unsaved.
    const beside = () => hasMoreBeside(git, order.git.commit).catch(() => true)
    const dirty = leaves === undefined ? await holdsMore(git, order.git.commit) : await beside()
    return { ...failedResult(end.text, { commit, dirty, exitCode: end.exitCode }), outcome: 'success' }
  } catch (error) {
    const known = orDiskFull(error)
    if (!(known instanceof SessionFailure)) throw error
    return leave({ ...end, outcome: 'failed', reason: known.reason, text: known.message })
  }
}

/** Reviews exactly that commit. Nothing in the workspace is kept: the answer is in the record. */
async function review(deps: SessionDeps, git: Git, work: ReviewWork): Promise<Result> {
  const { commit } = deps.order.git
  await section(deps, 'checkout', () => checkOutForVerify(git, deps.order.git), checkoutOf(commit))
  await commandFiles(deps, git, work.agent)
  const command = work.agent.name === 'command' ? { command: work.agent.command } : {}
  const end = await section(deps, work.form ?? 'review', () => runReviewer(deps, work), {
    ...command,
    exitCode: (value) => value.exitCode,
  })
  return { ...failedResult(end.text, { commit, reason: end.reason, exitCode: end.exitCode }), outcome: end.outcome }
}

/** The command comes from the base branch, and so do the files that it names. */
async function commandFiles({ writer }: SessionDeps, git: Git, agent: AgentOrder): Promise<void> {
  if (agent.name !== 'command' || agent.files === undefined) return
  const restored = await restoreCommandFiles(git, agent.command, agent.files)
  if (restored.length === 0) return
  const [are, names] = [restored.length === 1 ? 'is' : 'are', restored.join(', ')]
  await writer.write({
    type: 'warning',
    text: `${names} ${are} not on this branch: the agent's command has ${restored.length === 1 ? 'it' : 'them'} from the base branch`,
  })
}

async function runAgent(deps: SessionDeps, voice: AgentVoice, work: AgentWork): Promise<AgentEnd> {
  const { agent, prompt, continues, leaves } = work
  if (agent.name === 'command') return runCommandAgent(deps, voice, agent, prompt)
  if (agent.name === 'preset') return runPresetAgent(deps, voice, agent, prompt, { continues })
  // The model's client is nine tenths of the bundle, and most sessions do not need it.
  const { runBuiltInAgent } = await import('../agents/built-in-agent.ts')
  const { workerRole } = await import('../agents/worker.ts')
  const role = workerRole(deps.order.workspace, leaves === undefined)
  return runBuiltInAgent(deps, voice, { order: agent, prompt, continues, keeps: true }, role)
}

/**
 * Saves the unsaved work of a session that did not end well to a ref in the hub; the result says whether that
 * worked.
 */
async function keepLeftover(
  deps: SessionDeps,
  git: Git,
  { saveRef }: AgentWork,
  end: AgentEnd,
  run: () => Promise<Saved>,
): Promise<Result> {
  const { outcome, reason, exitCode } = end
  const facts = { outcome, reason, exitCode, commit: await git.commitOf('HEAD') }
  try {
    const saved = await section(deps, 'save', run)
    return { ...failedResult(end.text), ...facts, ...saved }
  } catch (error) {
    const known = orDiskFull(error)
    if (!(known instanceof SessionFailure)) throw error
    await deps.writer.write({
      type: 'warning',
      text: `the agent's uncommitted work could not be saved to ${saveRef}: ${known.message}`,
    })
    const text = end.text === known.message ? end.text : `${end.text}; ${known.message}`
    const full = known.reason === 'disk_full' ? { outcome: 'failed' as const, reason: known.reason } : {}
    return { ...failedResult(text), ...facts, ...full, dirty: true }
  }
}

async function save(deps: SessionDeps, git: Git, ref: string): Promise<Result> {
  const { order } = deps
  await removeLocks(git)
  const damage = await findDamage(git)
  const run = () => (damage === null ? saveLeftover(git, order.git, ref) : rescueFiles(git, order.git, ref))
  const saved = await section(deps, 'save', run)
  const text = saved.savedRef ? `the unsaved work is saved on ${ref}` : 'there was nothing to save'
  return { ...failedResult(text), outcome: 'success', ...saved, commit: await git.commitOf('HEAD') }
}
