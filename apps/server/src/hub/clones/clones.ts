import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Clock } from '../../process/clock.ts'
import { HubError } from '../../ports/hub.ts'
import type { Git } from '../git/git.ts'
import { hubFolderName, SCRATCH } from './names.ts'

/** Longer than a fetch may take: a fetch that an earlier server began may still be writing. */
const STALE_PACK_MS = 3_600_000
/** The shortest time between two looks: git counts loose objects to see whether packing is worth it. */
const TIDY_EVERY_MS = 10 * 60_000
const TIDY_EVERY_FETCHES = 25
const GC_TIMEOUT_MS = 30 * 60_000

/**
 * Everything is shown and packed as it is committed: no line ends are changed, no keywords expanded, nothing is left
 * out by `export-ignore`. This file wins over every `.gitattributes` of a repository.
 */
const ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding -export-subst -export-ignore !diff\n'

/** The bare clones: their places, and how one is created, repaired, tidied and removed. */
export class Clones {
  #git: Git
  #folder: string
  #clock: Clock
  #prepared = new Map<ProjectId, Promise<string>>()
  #tidying = new Set<string>()
  #tidied = new Map<string, { at: number; fetches: number }>()

  constructor(git: Git, folder: string, clock: Clock) {
    this.#git = git
    this.#folder = folder
    this.#clock = clock
  }

  path(project: ProjectId): string {
    return join(this.#folder, hubFolderName(project))
  }

  /** The clone's folder; fails when nothing was ever fetched. */
  async existing(project: ProjectId): Promise<string> {
    const gitDir = await this.known(project)
    if (gitDir !== null) return gitDir
    throw new HubError('missing', `The hub holds nothing of project ${project} yet: fetch it first.`)
  }

  /** The same, or null when nothing was ever fetched. */
  async known(project: ProjectId): Promise<string | null> {
    const gitDir = this.path(project)
    return (await exists(join(gitDir, 'HEAD'))) ? gitDir : null
  }

  /** Makes the clone when missing and repairs a crash's leftovers, once for each start of the server. */
  prepare(project: ProjectId): Promise<string> {
    const known = this.#prepared.get(project)
    if (known) return known
    const work = this.#prepare(project)
    this.#prepared.set(project, work)
    work.catch(() => this.#prepared.delete(project))
    return work
  }

  async remove(project: ProjectId): Promise<void> {
    this.#prepared.delete(project)
    this.#tidied.delete(this.path(project))
    await this.#git.clones.close(this.path(project))
    await rm(this.path(project), { recursive: true, force: true })
  }

  async noteFetched(gitDir: string, at: number): Promise<void> {
    await writeFile(join(gitDir, 'fetched-at'), `${at}\n`)
  }

  /** Milliseconds UTC of the last fetch; 0 when that is not known. */
  async fetchedAt(gitDir: string): Promise<number> {
    const text = await readFile(join(gitDir, 'fetched-at'), 'utf8').catch(() => '')
    const at = Number(text)
    return Number.isSafeInteger(at) ? at : 0
  }

  /**
   * Called after each fetch. Once in a while it packs many small objects into few, beside other work; the first time
   * after a start, it packs leftovers. Never awaited: a failure costs only space.
   */
  tidy(gitDir: string): void {
    const now = this.#clock.monotonic()
    const last = this.#tidied.get(gitDir)
    if (last && now - last.at < TIDY_EVERY_MS && last.fetches < TIDY_EVERY_FETCHES) {
      last.fetches += 1
      return
    }
    if (this.#tidying.has(gitDir)) return
    this.#tidied.set(gitDir, { at: now, fetches: 1 })
    this.#tidying.add(gitDir)
    const config = ['gc.auto=6700', 'gc.autoDetach=false']
    this.#git
      .run({ gitDir, args: ['gc', '--auto', '--quiet'], config, timeoutMs: GC_TIMEOUT_MS })
      .catch(() => {})
      .finally(() => this.#tidying.delete(gitDir))
  }

  async #prepare(project: ProjectId): Promise<string> {
    const gitDir = this.path(project)
    await mkdir(gitDir, { recursive: true, mode: 0o700 })
    await this.#dropStaleLocks(gitDir)
    await this.#dropStalePacks(gitDir)
    await dropScratch(gitDir)
    await this.#git.run({ args: ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', gitDir] })
    await mkdir(join(gitDir, 'info'), { recursive: true })
    await writeFile(join(gitDir, 'info', 'attributes'), ATTRIBUTES)
    return gitDir
  }

  /** Left by a git that was killed while it fetched; git itself removes them after two weeks. */
  async #dropStalePacks(gitDir: string): Promise<void> {
    const folder = join(gitDir, 'objects', 'pack')
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith('tmp_')) continue
      const age = this.#clock.now() - (await stat(join(folder, name))).mtimeMs
      if (age > STALE_PACK_MS) await rm(join(folder, name), { force: true })
    }
  }

  async #dropStaleLocks(gitDir: string): Promise<void> {
    const inRefs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => [])
    const inRoot = await readdir(gitDir)
    const locks = [...inRoot, ...inRefs.map((name) => join('refs', name))].filter((name) => name.endsWith('.lock'))
    for (const lock of locks) await this.#git.locks.drop(gitDir, lock)
  }
}

/** Removes the scratch of submodules that an earlier server was fetching. */
async function dropScratch(gitDir: string): Promise<void> {
  for (const name of await readdir(gitDir))
    if (name.startsWith(SCRATCH)) await rm(join(gitDir, name), { recursive: true, force: true })
}

/** Throws if the answer is unknown: no free file, a disk that does not answer. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
