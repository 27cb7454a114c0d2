import { imagesToRemove, type KnownImage } from '@beadloom/core/images/unused-images.ts'
import type { ImagesView } from '@beadloom/core/api/server/system-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { EngineError, type Engine, type EngineImage } from '../../ports/engine.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'

export type ImageKeeperDeps = {
  engine: Pick<Engine, 'images' | 'removeImage'>
  store: Pick<PatientStore, 'projects' | 'images' | 'noteImages' | 'forgetImages'>
  clock: Clock
  log: Logger
}

/** Between two looks; the removal of a project causes one at once. */
const LOOK_MS = 3_600_000
/** After a failed removal, because a container was still there. */
const AGAIN_MS = 60_000
const RECENT_MS = 30_000
const MOST_SHOWN = 200
const MOST_TEXT = 300

type Listed = EngineImage & KnownImage

/** Removes images that are no longer needed, but none that a container was made from. */
export class ImageKeeper {
  readonly #deps: ImageKeeperDeps
  /** Why an image is still there, by its name. */
  #problems = new Map<string, string>()
  #wake = new AbortController()
  #latest: { listed: Listed[]; at: number } | null = null

  constructor(deps: ImageKeeperDeps) {
    this.#deps = deps
  }

  /** Looks now: a project has gone. */
  nudge(): void {
    this.#wake.abort()
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.#wake = new AbortController()
      const isDone = await this.sweep().catch((error: unknown) => {
        // Another part reports that an engine is away.
        if (!(error instanceof EngineError)) this.#deps.log.error({ error }, 'images could not be looked at')
        return false
      })
      await this.#deps.clock.sleep(isDone ? LOOK_MS : AGAIN_MS, AbortSignal.any([stop, this.#wake.signal]))
    }
  }

  /** Removes them. False: one could not be removed. */
  async sweep(): Promise<boolean> {
    const { engine, store, clock, log } = this.#deps
    const listed = await this.#listed()
    const projects = store.projects().map(({ id }) => id as string)
    const problems = new Map<string, string>()
    const gone: string[] = []
    for (const name of imagesToRemove(listed, new Set(projects), clock.now())) {
      try {
        await engine.removeImage(name)
        gone.push(name)
        log.info({ image: name }, 'an image that nobody needs was removed')
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        const why = oneLine(messageOf(error)).slice(0, MOST_TEXT)
        problems.set(name, why)
        if (this.#problems.get(name) !== why) log.warn({ image: name, why }, 'an image could not be removed')
      }
    }
    this.#problems = problems
    this.#latest = null
    const there = new Set(listed.map(({ name }) => name))
    await store.forgetImages([...gone, ...store.images().flatMap(({ name }) => (there.has(name) ? [] : [name]))])
    return problems.size === 0
  }

  /** Null while the engine does not answer. */
  async view(): Promise<ImagesView | null> {
    const listed = await this.#recent().catch(() => null)
    if (listed === null) return null
    const items = listed.map(({ name, key, project, bytes, ownBytes, createdAt, usedAt, isNeeded }) => ({
      name,
      project: project ?? key?.project ?? null,
      isOurs: project !== null || key === null,
      bytes: ownBytes ?? bytes,
      createdAt,
      usedAt,
      inUse: isNeeded,
      problem: this.#problems.get(name) ?? null,
    }))
    const shown = items.toSorted((a, b) => b.usedAt - a.usedAt || b.createdAt - a.createdAt).slice(0, MOST_SHOWN)
    return { items: shown, total: items.length, bytes: items.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  /** A cache: an open page asks every few seconds, and an engine may have hundreds. */
  async #recent(): Promise<Listed[]> {
    const now = this.#deps.clock.monotonic()
    if (this.#latest && now - this.#latest.at < RECENT_MS) return this.#latest.listed
    const listed = await this.#listed()
    this.#latest = { listed, at: now }
    return listed
  }

  /** An image seen for the first time counts as used now: nobody knows when it was. So does a layer that is needed. */
  async #listed(): Promise<Listed[]> {
    const { engine, store, clock } = this.#deps
    const images = await engine.images()
    const known = new Map(store.images().map((use) => [use.name, use]))
    const own = new Set<string>(store.projects().map(({ id }) => id))
    const now = clock.now()
    const listed = images.map((image): Listed => {
      const { name, key, isUsed, isBelow } = image
      const isNeeded = isUsed || isBelow
      const use = known.get(name)
      const project = use?.project ?? (key !== null && own.has(key.project) ? key.project : null)
      const isStale = use === undefined || (isNeeded && now - use.usedAt >= LOOK_MS)
      return { ...image, project, isProjects: key !== null, usedAt: isStale ? now : use.usedAt, isNeeded }
    })
    const noted = listed.filter(({ name, usedAt }) => known.get(name)?.usedAt !== usedAt)
    if (noted.length > 0)
      await store.noteImages(noted.map(({ name, project }) => ({ name, project: project as ProjectId | null })))
    return listed
  }
}
