import { expect, test } from 'vitest'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { firstSteps } from './first-steps.ts'
import { behind, diagnosticsText } from './diagnostics.ts'
import { sampleProject } from '../../feed/testing/sample-project.ts'

const figures = { ended: [] } as unknown as ServerStatus['figures']
const well = {
  docker: { ok: true, text: 'Docker 26', where: null, weaker: [] },
  model: { name: null, ok: false, text: 'no model' },
  disk: { ok: true, freeBytes: 9e9 },
  running: [],
  figures,
} as unknown as ServerStatus
const done = (...args: Parameters<typeof firstSteps>) => firstSteps(...args).map((step) => step.done)
const read = { ...sampleProject(), problem: null, syncedAt: 1, model: null, agent: 'openai' }

test('nothing is known before the server has answered', () => {
  expect(done(null, [])).toEqual([null, null, null, null])
  expect(new Set(firstSteps(null, []).map(({ text }) => text))).toEqual(new Set(['checking…']))
})

test('each step is done when it is true, and not before', () => {
  expect(done(well, [])).toEqual([true, null, false, null])
  expect(done(well, [read])).toEqual([true, true, false, null])
  expect(done({ ...well, model: { name: 'scripted', ok: true, text: '' } }, [read])).toEqual([true, true, true, null])
  expect(done(well, [{ ...read, agent: 'command' }])).toEqual([true, true, true, null])
  const ended = { ...figures, ended: [{ state: 'FAILED', reason: null, count: 1 }] }
  expect(done({ ...well, figures: ended }, [read]).at(-1)).toBe(true)
})

test('a demo alone is well without a key, and says what real work needs; a full disk is a step of its own', () => {
  const demo = { ...read, name: 'legible', model: 'scripted' }
  const model = (projects: Parameters<typeof firstSteps>[1]) => firstSteps(well, projects)[2]
  expect(model([demo])).toMatchObject({ done: true, text: expect.stringMatching(/^legible: demo .* OPENAI_API_KEY/) })
  expect(model([demo, { ...read, name: 'real', model: 'gpt' }])?.text).toBe('set by the projects: real')
  const full = firstSteps({ ...well, disk: { ok: false, freeBytes: 2 ** 30 } }, [demo])
  expect(full.find(({ id }) => id === 'disk')).toMatchObject({ done: false, text: expect.stringMatching(/^1.* free/) })
})

test('an unreadable repository is a failed step with its reason, unless another one can be read', () => {
  const broken = { ...read, name: 'Odd', problem: 'no such folder', syncedAt: null }
  expect(firstSteps(well, [broken])[1]).toMatchObject({ done: false, text: 'Odd: no such folder' })
  expect(firstSteps(well, [broken, read])[1]).toMatchObject({ done: true, text: read.name })
})

test('a topic is behind by its unseen changes; a log counts lines, and is not compared', () => {
  expect(behind('home', 90, 100)).toBe(10)
  expect(behind('home', 101, 100)).toBe(0)
  expect(behind('log:s.1', 90, 100)).toBeNull()
  expect(behind('home', 90, null)).toBeNull()
})

test('the diagnostics name topics and numbers, and no text of a bead', () => {
  const cursors = [{ topic: 'board:demo', next: 7 }]
  const socket = { link: { is: 'live' as const }, welcome: null, skew: 3, age: 40, cursors }
  expect(JSON.parse(diagnosticsText(socket, null, 'Chromium'))).toEqual({
    link: { is: 'live' },
    build: null,
    epoch: null,
    seqAtWelcome: null,
    seqOfServer: null,
    skewMs: 3,
    lastMessageMs: 40,
    cursors: [{ topic: 'board:demo', next: 7, behind: null }],
    server: null,
    browser: 'Chromium',
  })
})
