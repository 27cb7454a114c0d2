import type { PushView } from '@beadloom/core/api/projects/environment-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { asSentence } from '@beadloom/core/text/sentence.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import { HubError } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import type { Proofs } from './proofs.ts'

export type PushesDeps = {
  proofs: Pick<Proofs, 'image'>
  clock: Pick<Clock, 'now'>
  log: Logger
}

const STOPPED = 'The push was stopped. Layers that were sent are not sent again.'

type Push = { view: PushView; cancel: AbortController }

/** Pushes of projects' images to registries, one per project at a time. The newest result is kept until a restart. */
export class ImagePushes {
  readonly #deps: PushesDeps
  readonly #pushes = new Map<ProjectId, Push>()

  constructor(deps: PushesDeps) {
    this.#deps = deps
  }

  of(project: ProjectId): PushView | null {
    return this.#pushes.get(project)?.view ?? null
  }

  /** Returns at once. A running push continues, to whatever registry. */
  begin(row: ProjectRow, registry: string): PushView {
    const running = this.of(row.id)
    if (running?.state === 'running') return running
    const startedAt = this.#deps.clock.now()
    const common = { project: row.id, registry, commit: null, image: null, startedAt, endedAt: null }
    const push: Push = { view: { ...common, state: 'running', text: 'preparing' }, cancel: new AbortController() }
    this.#pushes.set(row.id, push)
    void this.#toTheEnd(row, push)
    return push.view
  }

  /** Null: none runs. A push sends the name last, so the registry has the whole image or nothing by that name. */
  stop(project: ProjectId): PushView | null {
    const push = this.#pushes.get(project)
    if (push?.view.state !== 'running') return null
    push.view = { ...push.view, state: 'failed', text: STOPPED, endedAt: this.#deps.clock.now() }
    push.cancel.abort()
    return push.view
  }

  /** Forgets a removed project: another may get its id. */
  forget(project: ProjectId): void {
    this.#pushes.get(project)?.cancel.abort()
    this.#pushes.delete(project)
  }

  /** The server is stopping. */
  detach(): void {
    for (const { cancel } of this.#pushes.values()) cancel.abort()
  }

  /** Never rejects. */
  async #toTheEnd(row: ProjectRow, push: Push): Promise<void> {
    const { proofs, log, clock } = this.#deps
    const { signal } = push.cancel
    const tell = (news: Partial<PushView>) => {
      if (push.view.state === 'running') push.view = { ...push.view, ...news }
    }
    const end = (state: 'done' | 'failed', news: Partial<PushView>) => tell({ ...news, state, endedAt: clock.now() })
    const making = { signal, onProgress: (text: string) => tell({ text }) }
    try {
      const found = await proofs.image(row, making)
      if ('why' in found) return end('failed', { text: `There is no image to push: ${found.why}` })
      const { engine, environment, commit } = found
      tell({ commit, text: `pushing to ${push.view.registry}` })
      const image = await engine.push(environment, push.view.registry, making)
      end('done', { image, text: `The registry has it as ${image.reference}.` })
      log.info({ project: row.id, image: image.reference }, 'an image was pushed')
    } catch (error) {
      const isKnown = error instanceof EngineError || error instanceof HubError
      if (!isKnown && !signal.aborted) log.error({ error, project: row.id }, 'an image could not be pushed')
      end('failed', { text: asSentence(messageOf(error)) })
    }
  }
}
