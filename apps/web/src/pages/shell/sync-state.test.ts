import { ArrowUpDown, CirclePause, CircleX, RefreshCw, TriangleAlert } from 'lucide-react'
import { expect, test } from 'vitest'
import { sampleProject } from '../../feed/testing/sample-project.ts'
import { syncState } from './sync-state.ts'

const now = 1_000_000
const tracker = { kind: 'bd', text: 'bd 1.0.5', writable: true, waiting: 0, problem: '' }
const view = { ...sampleProject(), syncedAt: now - 12_000, tracker }

test.each([
  ['says when it was read last', {}, RefreshCw, 'synced 12 s'],
  ['says that it was never read', { syncedAt: null }, RefreshCw, 'not synced'],
  [
    'counts what is on its way to the tracker',
    { tracker: { ...tracker, waiting: 3 } },
    ArrowUpDown,
    'Saving 3 changes…',
  ],
  ['counts warnings', { warnings: ['a', 'b'] }, TriangleAlert, '2 warnings'],
  ['says that the project is paused', { paused: true, warnings: ['a'] }, CirclePause, 'paused'],
  [
    'says before all that what was tried has failed',
    { paused: true, tracker: { ...tracker, waiting: 2, problem: 'locked' } },
    CircleX,
    '2 not saved',
  ],
  [
    'calls a wrong configuration by its name',
    { problem: 'beadloom.json: tset: is no setting', problemKind: 'configuration' as const, paused: true },
    CircleX,
    'configuration',
  ],
  [
    'says that the project cannot be read',
    { problem: 'no such folder', problemKind: 'repository' as const, paused: true },
    CircleX,
    'sync failed',
  ],
  [
    'says that a project which was read cannot run',
    { problem: 'no model', problemKind: 'other' as const },
    CircleX,
    'cannot run',
  ],
])('the sync chip %s', (_, patch, icon, text) => {
  expect(syncState({ ...view, ...patch }, now)).toMatchObject({ icon, text })
})
