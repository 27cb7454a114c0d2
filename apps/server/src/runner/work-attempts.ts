import { commitMessage } from '@beadloom/core/branch.ts'
import { digestOf } from '@beadloom/core/digest.ts'
import type { ExecutionEnd } from '@beadloom/core/execution.ts'
import type { AgentOrder, SessionOrder } from '@beadloom/core/session-order.ts'
import { WORKSPACE } from '@beadloom/core/session-order.ts'
import type { WorkTip } from '../ports/hub.ts'
import { endOfExit, failed } from './failed.ts'
import { promptFor } from './prompt-inputs.ts'
import { beginSession, checkoutOf, type RunContainer, type RunContext } from './run-context.ts'
import { runSession, type SessionFacts } from './run-session.ts'
import { throwIfStopped } from './stop.ts'
import { verify } from './verify.ts'

export type WorkResult = { verified: string } | { end: ExecutionEnd }

/**
 * Up to `maxAttempts` fresh sessions on the kept workspace, each followed by the project's own checks in a clean
 * container. A session that did not end well is not verified and not repeated.
 */
export async function workUntilVerified(
  run: RunContext,
  container: RunContainer,
  image: string,
  workTip: WorkTip,
): Promise<WorkResult> {
  const { store, hub } = run.deps
  const { execution, settings } = run
  let digest: string | null = null
  let nothingDone = false
  for (let attempt = 1; attempt <= settings.maxAttempts; attempt++) {
    throwIfStopped(run.stopper)
    store.noteExecution(execution.id, { attempt }) // before it starts, so that a crash cannot give it away again
    run.execution = { ...run.execution, attempt }
    const facts = await workSession(run, container, attempt, digest)
    throwIfStopped(run.stopper)

    const { blocked } = facts
    if (blocked !== null)
      return { end: { state: 'BLOCKED', blockedReason: blocked, detail: `The agent stopped: ${blocked}` } }
    if (facts.outcome !== 'success') return { end: endOfFailedSession(run, facts) }

    const tip = await hub.tip(run.project.id, `refs/heads/${execution.branch}`)
    if (!tip || !(await hasWork(run, tip, workTip))) {
      nothingDone = true
      digest = `No commit arrived on the branch ${execution.branch}: the session ended without changes. Make the change, commit it with the message "${commitMessage(run.bead.id, run.bead.title)}" and push.`
      store.addEvent(execution.id, facts.id, 'verification', { passed: false, attempt, digest })
      continue
    }
    nothingDone = false
    const verdict = await verify(run, image, tip, attempt)
    throwIfStopped(run.stopper)
    if (verdict.passed) {
      store.noteExecution(execution.id, { commit: tip })
      return { verified: tip }
    }
    digest = digestOf(verdict.output)
    store.addEvent(execution.id, verdict.session, 'verification', { passed: false, attempt, digest })
    if (verdict.commandMissing)
      return { end: failed({ kind: 'command_not_found', command: settings.test ?? '' }, `\n${digest}`) }
  }
  const more = ` The work is on the branch ${execution.branch}.\n${digest ?? ''}`.trimEnd()
  if (nothingDone) return { end: failed({ kind: 'nothing_done' }, ` ${digest ?? ''}`) }
  return {
    end: failed({ kind: 'verification', command: settings.test ?? '', attempts: settings.maxAttempts }, more),
  }
}

/**
 * Whether the branch has work of this bead: anything that is not in the work branch, not only what this session did,
 * because an earlier execution may have left good work; or work of its own that was merged and never published.
 */
async function hasWork(run: RunContext, tip: string, workTip: WorkTip): Promise<boolean> {
  const { hub } = run.deps
  const { project, bead } = run
  if ((await hub.commits(project.id, workTip.commit, tip, 1)).length > 0) return true
  const own = commitMessage(bead.id, bead.title)
  return (await hub.commits(project.id, workTip.published, tip)).some(({ subject }) => subject === own)
}

async function workSession(
  run: RunContext,
  container: RunContainer,
  attempt: number,
  digest: string | null,
): Promise<SessionFacts> {
  const id = beginSession(run, 'work', attempt)
  const { execution, bead } = run
  const order: SessionOrder = {
    session: id,
    execution: execution.id,
    workspace: WORKSPACE,
    git: checkoutOf(execution.branch, execution.baseCommit ?? ''),
    work: {
      kind: 'work',
      prompt: promptFor(run, attempt, digest),
      fresh: attempt === 1,
      commitMessage: commitMessage(bead.id, bead.title),
      saveRef: saveRef(run, attempt),
      agent: agentFor(run),
    },
  }
  return runSession(run, container, {
    id,
    attempt,
    order,
    access: { project: run.project.id, execution: execution.id, pushable: { branch: execution.branch } },
    mayUseModel: true,
    signal: run.stopper.signal,
  })
}

export const saveRef = (run: RunContext, attempt: number): string =>
  `refs/beadloom/${run.execution.id}/attempt-${attempt}`

/** Bounds of one tool call of the built-in agent: a test suite fits, a hanging command does not cost the deadline. */
const TOOL_TIMEOUT_MS = 600_000
const TOOL_OUTPUT_LIMIT = 30_000

function agentFor(run: RunContext): AgentOrder {
  const { settings, bead } = run
  const own = settings.beads[bead.id]
  const name = own?.agent ?? settings.agent
  const command = own?.command ?? settings.command
  const model = settings.model ?? 'default'
  if (name === 'command' && command) return { name, command, model }
  return {
    name: 'openai',
    model,
    maxSteps: settings.limits.maxSteps,
    toolTimeoutMs: TOOL_TIMEOUT_MS,
    toolOutputLimit: TOOL_OUTPUT_LIMIT,
  }
}

function endOfFailedSession(
  { settings, execution }: RunContext,
  { outcome, detail, exit }: SessionFacts,
): ExecutionEnd {
  if (outcome === 'turn_limit') return failed({ kind: 'turn_limit', steps: settings.limits.maxSteps })
  if (outcome === 'infra_error') return endOfExit(exit, settings.limits.memoryBytes)
  // The agent process says so when its one rebase did not help; its own words, so it can only stop work.
  const conflict = /^push conflict: ?([\s\S]*)$/.exec(detail)?.[1]
  if (conflict !== undefined) return failed({ kind: 'push_conflict', branch: execution.branch, detail: conflict })
  const next = 'Read its log; when the cause is gone, run the bead again.'
  return { state: 'FAILED', reason: 'retries_exhausted', detail: `The session failed: ${detail}. ${next}` }
}
