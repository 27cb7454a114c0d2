import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { file, line, TrackerFolder } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { ClaimGate } from '@beadloom/server/src/app/scheduling/claim-gate.ts'
import { TrackerSync } from '@beadloom/server/src/app/tracker/tracker-sync.ts'
import { bead, demo, openTestStore, seededRandom } from '@beadloom/server/src/store/testing.ts'

type GateDeps = ConstructorParameters<typeof ClaimGate>[0]

/** A real store, a real `.beads/issues.jsonl` with the beads a-1 and a-2, and the gate between them; time by hand. */
export class ClaimsKit {
  readonly clock = new HandClock(100)
  readonly folder = mkdtempSync(join(tmpdir(), 'tracker-claims-'))
  readonly store: Store
  readonly at = new TrackerFolder(file(line('a-1'), line('a-2')))
  readonly sync: TrackerSync
  readonly gate: ClaimGate
  #answers: (() => void)[] = []

  constructor() {
    const { clock } = this
    const soon = new HandClock(10_000) // the tracker waits before it believes a file that became shorter
    this.store = openTestStore(join(this.folder, 'beadloom.db'), { clock, random: seededRandom() })
    this.store.addProject({ id: demo, source: this.at.path })
    this.sync = new TrackerSync({
      store: this.store,
      hub: { path: () => '/hub', readFile: async () => null } as unknown as Hub,
      tracker: createTracker({ clock: soon, env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] }),
      clock,
      log: createLogger('silent'),
      aside: createAside({ clock: systemClock }),
      link: () => null,
    })
    this.gate = this.gateTo(this.sync)
  }

  /** Another gate, whose tracker answers as `projects` does. */
  gateTo(projects: GateDeps['projects'], store: GateDeps['store'] = this.store): ClaimGate {
    const answered = () => this.#answers.splice(0).forEach((tell) => tell())
    return new ClaimGate({ store, projects, clock: this.clock, log: createLogger('silent'), answered })
  }

  remove(): void {
    this.store.close()
    this.at.remove()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Reads the tracker. */
  now = () => this.sync.sync(this.store.project(demo)!, null)

  /** Resolves at the next answer of a gate. */
  answer = () => new Promise<void>((resolve) => this.#answers.push(resolve))

  /** The tracker's line of a bead. */
  inFile = (id: string) =>
    this.at.text
      .split('\n')
      .filter(Boolean)
      .map((raw) => JSON.parse(raw) as Record<string, unknown>)
      .find((one) => one['id'] === id)

  /** A person's edit in the tracker. */
  person = (id: string, fields: object) =>
    this.at.put(
      this.at.text.replace(/^.*$/gm, (raw) =>
        raw.includes(`"id":"${id}"`) ? JSON.stringify({ ...JSON.parse(raw), ...fields }) : raw,
      ),
    )

  known = (id: string) => this.store.bead(demo, bead(id))

  warnings = (id: ExecutionId) =>
    this.store
      .events(id, 0, 1000)
      .flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))
}
