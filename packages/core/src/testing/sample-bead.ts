import type { Bead, BeadDependency } from '../records/bead.ts'
import { parseBeadId, parseProjectId } from '../records/ids.ts'
import type { ExecutionId } from '../records/ids.ts'
import type { ProjectSnapshot } from '../dispatch/dispatch-snapshot.ts'

/* Builders for tests: a case gives only the fields that it is about. */

export const sampleProject = parseProjectId('demo')

/** An open task of priority 2 without dependencies. */
export function sampleBead(id: string, patch: Partial<Bead> = {}): Bead {
  return {
    project: sampleProject,
    id: parseBeadId(id),
    title: `Title of ${id}`,
    description: '',
    status: 'open',
    trackerStatus: 'open',
    priority: 2,
    type: 'task',
    labels: [],
    dependencies: [],
    createdAt: 1000,
    updatedAt: 1000,
    deferUntil: null,
    pinned: false,
    ephemeral: false,
    template: false,
    ...patch,
  }
}

/** `edges('blocks', 'a', 'b')`: waits for a and b. */
export const edges = (type: string, ...targets: string[]): BeadDependency[] =>
  targets.map((dependsOn) => ({ dependsOn, type }))

export const sampleSnapshot = (beads: Bead[], patch: Partial<ProjectSnapshot> = {}): ProjectSnapshot => ({
  id: sampleProject,
  autopilot: true,
  paused: false,
  obstacle: null,
  beads,
  tried: new Set(),
  ...patch,
})

export const sampleExecution = (name: string): ExecutionId => `ex-${name.padStart(10, '0')}` as ExecutionId
