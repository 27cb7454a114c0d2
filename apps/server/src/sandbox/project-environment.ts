import { createHash } from 'node:crypto'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { lockFiles } from '@beadloom/core/environment/lock-files.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import { EndedEarly, endOfExit, failed, isStoppedOutside } from '../execution/ends.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import type { BaseImage } from '../ports/engine.ts'
import type { EnvironmentId, EnvironmentKey } from '../ports/sandbox.ts'
import { packageFor } from './agent-order.ts'
import { beginSession, checkoutOf, orderOf } from './begin-session.ts'
import { closeSandbox, openSandbox } from './open-sandbox.ts'
import type { SessionFacts } from './session-plan.ts'
import { runSession } from './session.ts'

/**
 * What a project's sandboxes start from: its base image with the agent, and a checkout in `/workspace` after `setup` ran
 * with the network on. Executions of one project share it, and its making.
 */
export class ProjectEnvironments {
  readonly #deps: ExecutionDeps
  readonly #making = new Map<string, Promise<EnvironmentId>>()
  readonly #latest = new Map<string, EnvironmentId>()

  constructor(deps: ExecutionDeps) {
    this.#deps = deps
  }

  /** What `ensure` returned last for this project and agent; the next one is nearly always the same. */
  latest(live: LiveExecution): EnvironmentId | null {
    return this.#latest.get(kindOf(live)) ?? null
  }

  async ensure(live: LiveExecution, commit: string): Promise<EnvironmentId> {
    const environment = await this.#ensure(live, commit)
    this.#latest.set(kindOf(live), environment)
    return environment
  }

  async #ensure(live: LiveExecution, commit: string): Promise<EnvironmentId> {
    const bare = await this.#prepare(live, commit)
    throwIfStopped(live.stopper)
    const key = await this.#key(live.project.id, live.settings, commit, bare)
    const made = await this.#deps.engine.environment(key)
    if (made) return made
    const tag = nameOf(key)
    const inFlight = this.#making.get(tag)
    if (inFlight) {
      await this.#deps.store.addEvent(live.id, null, 'image_wait', { tag })
      // If the other execution's setup fails, this one tries for itself: the reason may have been the other's (a cancel).
      const shared = await inFlight.catch(() => null)
      throwIfStopped(live.stopper)
      return shared ?? this.#ensure(live, commit)
    }
    const making = this.#setUp(live, commit, bare, key)
    this.#making.set(tag, making)
    try {
      return await making
    } finally {
      this.#making.delete(tag)
    }
  }

  async #prepare(live: LiveExecution, commit: string): Promise<EnvironmentId> {
    const { hub, engine, store } = this.#deps
    const project = live.project.id
    const { image, dockerfile } = live.settings
    let base: BaseImage = { from: 'default' }
    if (image) base = { from: 'image', name: image }
    // The commit as the key, not the Dockerfile's hash: it may copy any file. Docker's own layer cache makes that cheap.
    if (dockerfile)
      base = { from: 'dockerfile', path: dockerfile, context: () => hub.archive(project, commit), cacheKey: commit }
    const onProgress = (text: string) => void store.addEvent(live.id, null, 'image', { text })
    return engine.prepare(base, packageFor(live), { onProgress, signal: live.stopper.signal })
  }

  async #key(
    project: ProjectId,
    settings: ProjectSettings,
    commit: string,
    bare: EnvironmentId,
  ): Promise<EnvironmentKey> {
    const files = lockFiles(await this.#deps.hub.rootFiles(project, commit))
    const locks = await this.#deps.hub.hashFiles(project, commit, files)
    const digest = createHash('sha256')
      .update(JSON.stringify([bare, settings.setup, locks]))
      .digest('hex')
      .slice(0, 20)
    return { project, digest }
  }

  async #setUp(live: LiveExecution, commit: string, bare: EnvironmentId, key: EnvironmentKey): Promise<EnvironmentId> {
    const { store } = this.#deps
    const { setup, limits } = live.settings
    const { attempt } = storedOf(live)
    const session = await beginSession(live, 'setup', attempt)
    await store.addEvent(live.id, session, 'image_build', { tag: nameOf(key), setup })
    const sandbox = await openSandbox(live, {
      kind: 'setup',
      serial: 'setup',
      environment: bare,
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
      return await sandbox.keepAs(key)
    } finally {
      await closeSandbox(live, sandbox)
    }
  }
}

/** As events name it. */
const nameOf = ({ project, digest }: EnvironmentKey): string => `${project}:${digest}`

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
