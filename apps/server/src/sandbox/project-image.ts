import { createHash } from 'node:crypto'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { lockFiles } from '@beadloom/core/project/detect.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import { EndedEarly, endOfExit, failed, isStoppedOutside } from '../execution/ends.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import type { BaseImage, ImageId } from '../ports/engine.ts'
import { packageFor } from './agent-order.ts'
import { beginSession, checkoutOf, orderOf } from './begin-session.ts'
import { closeSandbox, openSandbox } from './open-sandbox.ts'
import type { SessionFacts } from './session-plan.ts'
import { runSession } from './session.ts'

/**
 * The image that a project's containers start from: its base image with the runtime, and a checkout in `/workspace`
 * after `setup` ran with the network on. Executions of one project share one build.
 */
export class ProjectImages {
  #deps: ExecutionDeps
  #building = new Map<string, Promise<ImageId>>()

  #latest = new Map<string, ImageId>()

  constructor(deps: ExecutionDeps) {
    this.#deps = deps
  }

  /** What `ensure` returned last for this project and agent; the next one is nearly always the same. */
  latest(live: LiveExecution): ImageId | null {
    return this.#latest.get(kindOf(live)) ?? null
  }

  async ensure(live: LiveExecution, commit: string): Promise<ImageId> {
    const image = await this.#ensure(live, commit)
    this.#latest.set(kindOf(live), image)
    return image
  }

  async #ensure(live: LiveExecution, commit: string): Promise<ImageId> {
    const runtime = await this.#runtime(live, commit)
    throwIfStopped(live.stopper)
    const tag = await this.#tag(live.project.id, live.settings, commit, runtime)
    const cached = await this.#deps.engine.findImage(tag)
    if (cached) return cached
    const inFlight = this.#building.get(tag)
    if (inFlight) {
      await this.#deps.store.addEvent(live.id, null, 'image_wait', { tag })
      // If the other execution's build fails, this one tries for itself: the reason may have been the other's (a cancel).
      const shared = await inFlight.catch(() => null)
      throwIfStopped(live.stopper)
      return shared ?? this.#ensure(live, commit)
    }
    const build = this.#build(live, commit, runtime, tag)
    this.#building.set(tag, build)
    try {
      return await build
    } finally {
      this.#building.delete(tag)
    }
  }

  async #runtime(live: LiveExecution, commit: string): Promise<ImageId> {
    const { hub, engine, store } = this.#deps
    const project = live.project.id
    const { image, dockerfile } = live.settings
    let base: BaseImage = { from: 'default' }
    if (image) base = { from: 'image', name: image }
    // The commit as the key, not the Dockerfile's hash: it may copy any file. Docker's own layer cache makes that cheap.
    if (dockerfile)
      base = { from: 'dockerfile', path: dockerfile, context: () => hub.archive(project, commit), cacheKey: commit }
    return engine.runtimeImage(
      base,
      (text) => void store.addEvent(live.id, null, 'image', { text }),
      live.stopper.signal,
      packageFor(live),
    )
  }

  async #tag(project: ProjectId, settings: ProjectSettings, commit: string, runtime: ImageId): Promise<string> {
    const files = lockFiles(await this.#deps.hub.rootFiles(project, commit))
    const locks = await this.#deps.hub.hashFiles(project, commit, files)
    const key = createHash('sha256')
      .update(JSON.stringify([runtime, settings.setup, locks]))
      .digest('hex')
      .slice(0, 20)
    return `beadloom/project-${project}:${key}`
  }

  async #build(live: LiveExecution, commit: string, runtime: ImageId, tag: string): Promise<ImageId> {
    const { engine, store } = this.#deps
    const { setup, limits } = live.settings
    const { attempt } = storedOf(live)
    const session = await beginSession(live, 'setup', attempt)
    await store.addEvent(live.id, session, 'image_build', { tag, setup })
    const sandbox = await openSandbox(live, {
      kind: 'setup',
      serial: 'setup',
      image: runtime,
      network: setup === null ? 'none' : 'bridge',
    })
    try {
      const facts = await runSession(live, sandbox, {
        id: session,
        attempt,
        order: orderOf(live, session, checkoutOf(live.settings.baseBranch, commit), {
          kind: 'setup',
          command: setup,
          timeoutMs: limits.setupTimeoutMs,
        }),
        access: { project: live.project.id, execution: live.id, pushable: null },
        agent: null,
        signal: live.stopper.signal,
      })
      throwIfStopped(live.stopper)
      if (facts.outcome !== 'success') {
        throw new EndedEarly(endOfSetup(facts, live.settings))
      }
      return await engine.commit(sandbox.id, tag)
    } finally {
      await closeSandbox(live, sandbox)
    }
  }
}

const kindOf = (live: LiveExecution): string => JSON.stringify([live.project.id, packageFor(live)])

const LAST_LINES = 15

/** A `setup` that fails is the project's own problem, so the end of what it printed goes with it. */
function endOfSetup({ exit, recorded, detail }: SessionFacts, { setup, limits }: ProjectSettings): ExecutionEnd {
  const { result } = recorded
  const reason = result?.reason ?? null
  if (!result || isStoppedOutside(exit, reason)) return endOfExit(exit, limits.memoryBytes, reason)
  if (setup === null || result.exitCode === null)
    return { state: 'FAILED', reason: 'infra_error', detail: `The image could not be prepared: ${detail}.` }
  const last = recorded.tail.trimEnd().split('\n').slice(-LAST_LINES).join('\n')
  const more = `\n${[last, detail].filter(Boolean).join('\n')}`
  return failed({ kind: 'setup_failed', command: setup, exitCode: result.exitCode }, more)
}
