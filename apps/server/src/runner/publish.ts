import { commitMessage } from '@beadloom/core/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/execution.ts'
import type { Published } from '../ports/hub.ts'
import { failed } from './failed.ts'
import type { RunContext } from './run-context.ts'
import { throwIfStopped } from './stop.ts'

/** Delays between tries to reach a remote; what is verified stays in the hub whatever happens. */
const PUBLISH_DELAYS_MS = [1_000, 5_000, 15_000]
/** A push that is on its way when somebody cancels is nearly always done within this, and then the bead is done too. */
const PUSH_GRACE_MS = 5_000

/** Brings verified work into the work branch and publishes both. Never by force; one more try when the remote moved. */
export async function integrateAndPublish(run: RunContext, commit: string): Promise<ExecutionEnd> {
  const { hub, store } = run.deps
  const { execution, project, settings, bead } = run
  const message = `Merge ${execution.branch}\n\n${commitMessage(bead.id, bead.title)}`
  let behind: string | null = null
  for (const lastTry of [false, true]) {
    const merged = await hub.integrate(project.id, settings.workBranch, commit, message)
    if (merged.result === 'conflict') return conflict(run, merged.files)
    run.merged = true
    store.addEvent(execution.id, null, 'integrated', {
      branch: settings.workBranch,
      result: merged.result,
      commit: merged.commit,
    })

    const refs = [`refs/heads/${execution.branch}`, `refs/heads/${settings.workBranch}`]
    const published = await publishPatiently(run, refs)
    if (published.ok) {
      store.addEvent(execution.id, null, 'published', { refs })
      return { state: 'COMPLETED', commit, detail: `Verified, merged into ${settings.workBranch} and published.` }
    }
    throwIfStopped(run.stopper)
    const why = [...new Set(published.failed.map((one) => one.why.replace(/\.$/, '')))].join('; ')
    if (published.failed.every((one) => one.kind === 'unreachable')) {
      return failed({ kind: 'publish_failed', detail: why })
    }
    if (lastTry)
      return {
        state: 'FAILED',
        reason: 'push_conflict',
        detail: `The project's remote refused the branches: ${behind ?? `${why}.`} The work is on ${execution.branch} in the hub; run the bead again when that is settled.`,
      }
    await hub.fetch(project, run.stopper.signal)
    behind = (await hub.workTip(project, settings.workBranch, settings.baseBranch)).behind
  }
  throw new Error('unreachable')
}

async function publishPatiently(run: RunContext, refs: string[]): Promise<Published> {
  const { clock, store } = run.deps
  let published = await publishOnce(run, refs)
  for (const delay of PUBLISH_DELAYS_MS) {
    if (published.ok || published.failed.some((one) => one.kind === 'rejected') || run.stopper.signal.aborted)
      return published
    store.addEvent(run.execution.id, null, 'publish_retry', { inMs: delay, why: published.failed[0]?.why ?? '' })
    await clock.sleep(delay, run.stopper.signal)
    published = await publishOnce(run, refs)
  }
  return published
}

/** One push; when the execution is stopped meanwhile, it has a little time to finish. */
async function publishOnce(run: RunContext, refs: string[]): Promise<Published> {
  const { hub, clock } = run.deps
  throwIfStopped(run.stopper)
  const { signal } = run.stopper
  const enough = new AbortController()
  const done = new AbortController()
  const giveUp = () => void clock.sleep(PUSH_GRACE_MS, done.signal).then(() => done.signal.aborted || enough.abort())
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await hub.publish(run.project, refs, enough.signal)
  } finally {
    done.abort()
    signal.removeEventListener('abort', giveUp)
  }
}

function conflict({ execution, settings }: RunContext, files: string[]): ExecutionEnd {
  const detail = `${settings.workBranch} has other changes in ${files.join(', ')}`
  return failed({ kind: 'push_conflict', branch: execution.branch, detail })
}
