import { createHash } from 'node:crypto'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { lockFiles } from '@beadloom/core/project/detect.ts'
import type { BaseImage, ImageId } from '../ports/engine.ts'
import { packageFor } from './agent-order.ts'
import { closeContainer, openContainer } from './containers.ts'
import type { RunnerDeps } from './deps.ts'
import { EndedEarly, endOfExit, failed } from './failed.ts'
import { beginSession, checkoutOf, type RunContext } from './run-context.ts'
import { runSession, type SessionFacts } from './run-session.ts'
import { throwIfStopped } from './stop.ts'

/**
 * The image that a project's containers start from: its base image with the runtime, and a checkout in `/workspace`
 * after `setup` ran with the network on. Executions of one project share one build.
 */
export class ProjectImages {
  #deps: RunnerDeps
  #building = new Map<string, Promise<ImageId>>()

  #latest = new Map<string, ImageId>()

  constructor(deps: RunnerDeps) {
    this.#deps = deps
  }

  /** What `ensure` returned last for this project and agent; the next one is nearly always the same. */
  latest(run: RunContext): ImageId | null {
    return this.#latest.get(kindOf(run)) ?? null
  }

  async ensure(run: RunContext, commit: string): Promise<ImageId> {
    const image = await this.#ensure(run, commit)
    this.#latest.set(kindOf(run), image)
    return image
  }

  async #ensure(run: RunContext, commit: string): Promise<ImageId> {
    const runtime = await this.#runtime(run, commit)
    throwIfStopped(run.stopper)
    const tag = await this.#tag(run.project.id, run.settings, commit, runtime)
    const cached = await this.#deps.engine.findImage(tag)
    if (cached) return cached
    const inFlight = this.#building.get(tag)
    if (inFlight) {
      this.#deps.store.addEvent(run.execution.id, null, 'image_wait', { tag })
      // If the other execution's build fails, this one tries for itself: the reason may have been the other's (a cancel).
      const shared = await inFlight.catch(() => null)
      throwIfStopped(run.stopper)
      return shared ?? this.#ensure(run, commit)
    }
    const build = this.#build(run, commit, runtime, tag)
    this.#building.set(tag, build)
    try {
      return await build
    } finally {
      this.#building.delete(tag)
    }
  }

  async #runtime(run: RunContext, commit: string): Promise<ImageId> {
    const { hub, engine, store } = this.#deps
    const project = run.project.id
    const { image, dockerfile } = run.settings
    let base: BaseImage = { from: 'default' }
    if (image) base = { from: 'image', name: image }
    // The commit as the key, not the Dockerfile's hash: it may copy any file. Docker's own layer cache makes that cheap.
    if (dockerfile)
      base = { from: 'dockerfile', path: dockerfile, context: () => hub.archive(project, commit), cacheKey: commit }
    return engine.runtimeImage(
      base,
      (text) => store.addEvent(run.execution.id, null, 'image', { text }),
      run.stopper.signal,
      packageFor(run),
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

  async #build(run: RunContext, commit: string, runtime: ImageId, tag: string): Promise<ImageId> {
    const { engine, store } = this.#deps
    const { setup, limits } = run.settings
    const session = beginSession(run, 'setup', run.execution.attempt)
    store.addEvent(run.execution.id, session, 'image_build', { tag, setup })
    const container = await openContainer(run, {
      kind: 'setup',
      serial: 'setup',
      image: runtime,
      network: setup === null ? 'none' : 'bridge',
    })
    try {
      const facts = await runSession(run, container, {
        id: session,
        attempt: run.execution.attempt,
        order: {
          session,
          execution: run.execution.id,
          workspace: WORKSPACE,
          git: checkoutOf(run.settings.baseBranch, commit),
          work: { kind: 'setup', command: setup, timeoutMs: limits.setupTimeoutMs },
        },
        access: { project: run.project.id, execution: run.execution.id, pushable: null },
        mayUseModel: false,
        signal: run.stopper.signal,
      })
      throwIfStopped(run.stopper)
      if (facts.outcome !== 'success') {
        throw new EndedEarly(endOfSetup(facts, run.settings))
      }
      return await engine.commit(container.id, tag)
    } finally {
      await closeContainer(run, container)
    }
  }
}

const kindOf = (run: RunContext): string => JSON.stringify([run.project.id, packageFor(run)])

const LAST_LINES = 15

/** A `setup` that fails is the project's own problem, so the end of what it printed goes with it. */
function endOfSetup({ exit, recorded, detail }: SessionFacts, { setup, limits }: ProjectSettings): ExecutionEnd {
  const { result } = recorded
  if (!result) return endOfExit(exit, limits.memoryBytes)
  if (setup === null || result.exitCode === null)
    return { state: 'FAILED', reason: 'infra_error', detail: `The image could not be prepared: ${detail}.` }
  const last = recorded.tail.trimEnd().split('\n').slice(-LAST_LINES).join('\n')
  const more = `\n${[last, detail].filter(Boolean).join('\n')}`
  return failed({ kind: 'setup_failed', command: setup, exitCode: result.exitCode }, more)
}
