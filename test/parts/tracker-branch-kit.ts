import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { mergeIssues } from '@beadloom/server/src/beads/jsonl/merge-issues.ts'
import { file } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { type Kit, projectId, startKit } from '@beadloom/server/src/hub/hub-kit.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import type { TrackedBead } from '@beadloom/server/src/ports/store/beads.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { TrackerSync } from '@beadloom/server/src/app/tracker/tracker-sync.ts'
import { bead, openTestStore, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'

export const WORK = 'beadloom/work'
export const FILE = '.beads/issues.jsonl'

/** Files of a project whose tracker has these lines. */
export const filesWith = (...lines: string[]) => ({ 'a.txt': 'a\n', [FILE]: file(...lines) })

export const filed = (id: string, title = id): TrackedBead => tracked(id, { title, project: projectId })

/** A real store, real git and a bare remote: the tracker of a project without a working tree here. */
export class BranchKit {
  readonly kit: Kit
  readonly store: Store
  readonly clock = new HandClock()
  readonly remote: string
  /** A person's clone of the remote. */
  readonly person: string

  private constructor(kit: Kit, person: string) {
    this.kit = kit
    this.person = person
    this.remote = join(kit.root, 'remote.git')
    this.store = openTestStore(join(kit.root, 'beadloom.db'), { clock: this.clock, random: seededRandom() })
  }

  static async start(files: Record<string, string>, write = true): Promise<BranchKit> {
    const kit = await startKit({}, mergeIssues)
    const made = new BranchKit(kit, await kit.source('person', files))
    await kit.git(kit.root, 'clone', '-q', '--bare', made.person, made.remote)
    await kit.git(made.person, 'remote', 'add', 'origin', made.remote)
    made.addProject(write)
    return made
  }

  async close(): Promise<void> {
    this.store.close()
    await this.kit.close()
  }

  addProject(write = true): void {
    this.store.addProject({ id: projectId, source: this.remote })
    const found = {
      setup: null,
      test: 'true',
      checks: [],
      techStack: [],
      tools: [],
      devcontainer: null,
      tests: [{ label: '', command: 'true' }],
      nested: [],
      untested: null,
      absent: [],
      services: [],
    }
    this.store.updateProject(projectId, {
      settings: JSON.stringify(resolveSettings({ tracker: { write } }, found, 'demo', 'main')),
    })
  }

  get project() {
    return { id: projectId, source: this.remote, baseBranch: 'main' }
  }

  sync(hub: Partial<Hub> = {}): TrackerSync {
    return new TrackerSync({
      store: this.store,
      hub: { ...this.kit.hub, ...hub },
      tracker: createTracker({ clock: this.clock, env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] }),
      clock: this.clock,
      log: createLogger('silent'),
      aside: createAside({ clock: systemClock }),
      link: () => null,
    })
  }

  /** Plays one round as the server does: the news of the remote, then the beads. Returns its warnings. */
  async round(sync = this.sync()): Promise<string[]> {
    const { hub } = this.kit
    const fetched = await hub.fetch(this.project).catch(() => hub.current(this.project))
    return sync.sync(this.store.project(projectId)!, fetched)
  }

  status(...ids: string[]) {
    return ids.map((id) => this.store.bead(projectId, bead(id))?.status)
  }

  closeBead(id: string): void {
    this.store.moveBead(projectId, bead(id), { type: 'closed' })
  }

  git(...args: string[]): Promise<string> {
    return this.kit.git(this.remote, ...args)
  }

  async show(branch: string): Promise<string> {
    return `${await this.git('show', `${branch}:${FILE}`)}\n`
  }

  async beadIn(branch: string, id: string): Promise<Record<string, unknown> | undefined> {
    return (await this.show(branch))
      .split('\n')
      .filter(Boolean)
      .map((one) => JSON.parse(one) as Record<string, unknown>)
      .find((one) => one['id'] === id)
  }

  /** The file of a branch, with these fields set in this bead. */
  async edited(branch: string, id: string, fields: object): Promise<string> {
    return (await this.show(branch)).replace(/^.*$/gm, (raw) =>
      raw.includes(`"id":"${id}"`) ? JSON.stringify({ ...JSON.parse(raw), ...fields }) : raw,
    )
  }

  /** Author and subject of each commit of the work branch that base lacks. */
  async commits(): Promise<string[]> {
    return (await this.git('log', '--format=%an: %s', `main..${WORK}`)).split('\n').filter(Boolean)
  }

  /** Pushes a person's commit to a branch of the remote. */
  async push(branch: string, change: Record<string, string>): Promise<void> {
    await this.#on(branch)
    await this.kit.commit(this.person, change, 'By a person')
    await this.inClone('push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
  }

  async mergeWorkIntoMain(...how: string[]): Promise<void> {
    await this.#on('main')
    await this.inClone('merge', '-q', ...how, '-m', 'Merge the work', `origin/${WORK}`)
    if (how.includes('--squash')) await this.inClone('commit', '-q', '-m', 'Squashed')
    await this.inClone('push', '-q', 'origin', 'HEAD:main')
  }

  inClone(...args: string[]): Promise<string> {
    return this.kit.git(this.person, ...args)
  }

  async #on(branch: string): Promise<void> {
    await this.inClone('fetch', '-q', 'origin')
    await this.inClone('checkout', '-q', '-B', 'theirs', `origin/${branch}`)
  }
}
