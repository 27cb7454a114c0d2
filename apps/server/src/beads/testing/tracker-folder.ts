import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { Bead, BeadStatus } from '@beadloom/core/records/bead.ts'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { TrackerChange } from '../../ports/tracker.ts'

export const project = parseProjectId('demo')
export const NOW = Date.parse('2026-03-01T12:00:00.000Z')
export const EXECUTION = parseExecutionId('ex-aaaaaaaaaa')

/** A working tree with this `issues.jsonl`, or without a `.beads` if it is null. */
export class TrackerFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tracker-'))
  readonly file = join(this.path, '.beads', 'issues.jsonl')

  constructor(text: string | null) {
    if (text === null) return
    mkdirSync(join(this.path, '.beads'))
    this.put(text)
  }

  put(text: string): void {
    writeFileSync(this.file, text)
  }

  get text(): string {
    return readFileSync(this.file, 'utf8')
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export const line = (id: string, fields: object = {}): string =>
  JSON.stringify({
    id,
    title: `Title of ${id}`,
    status: 'open',
    priority: 2,
    issue_type: 'task',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    ...fields,
  })

export const file = (...lines: string[]): string => lines.map((one) => `${one}\n`).join('')

const madeHere = (id: string, changes: Partial<Bead> = {}): Bead => ({
  project,
  id: parseBeadId(id),
  title: `Title of ${id}`,
  description: 'Why.',
  status: 'open',
  trackerStatus: 'open',
  priority: 1,
  type: 'bug',
  labels: ['beadloom'],
  dependencies: [{ dependsOn: 'a-1', type: 'discovered-from' }],
  createdAt: NOW,
  updatedAt: NOW,
  deferUntil: null,
  pinned: false,
  ephemeral: false,
  template: false,
  ...changes,
})

const base = (id: string) => ({ seq: 1, rev: 1, project, bead: parseBeadId(id) })

/** A change to this status. A start is ours: Beadloom works on the bead. */
export const statusOf = (id: string, status: BeadStatus, seen = 'open'): TrackerChange => ({
  ...base(id),
  kind: 'status',
  status,
  failed: false,
  labelled: true,
  held: status === 'in_progress',
  seen,
  assignee: null,
  given: null,
  reason: 'done in Beadloom',
})
/** A failure, after a read of the tracker that found Beadloom's own claim. */
export const failureOf = (id: string, seen = 'in_progress'): TrackerChange => ({
  ...statusOf(id, 'in_progress', seen),
  ...({ failed: true, held: false, assignee: 'beadloom' } as const),
})
export const commentOn = (id: string, text = `COMPLETED: execution ${EXECUTION}`): TrackerChange => ({
  ...base(id),
  kind: 'comment',
  execution: EXECUTION,
  text,
  at: NOW,
})
export const creationOf = (id: string, changes: Partial<Bead> = {}): TrackerChange => ({
  ...base(id),
  kind: 'create',
  content: madeHere(id, changes),
})
export const newText = (id: string, description: string, was: string | null, labels: string[] = []): TrackerChange => ({
  ...base(id),
  kind: 'describe',
  description,
  was,
  labels,
})
export const fieldsOf = (id: string, edits: readonly BeadEdit[]): TrackerChange => ({
  ...base(id),
  kind: 'edit',
  edits,
})
