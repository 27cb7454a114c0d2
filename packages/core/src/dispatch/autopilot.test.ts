import { describe, expect, test } from 'vitest'
import { parseBeadId } from '../records/ids.ts'
import type { Reason } from './reason.ts'
import { sampleBead as bead, sampleExecution } from '../testing/sample-bead.ts'
import { NOW, schedule, queued } from '../testing/sample-schedule.ts'

describe('autopilot', () => {
  test('queues ready beads by priority, then age, then id', () => {
    const beads = [
      bead('young', { createdAt: 9 }),
      bead('old-b', { createdAt: 1 }),
      bead('old-a', { createdAt: 1 }),
      bead('urgent', { priority: 0, createdAt: 99 }),
    ]
    expect(schedule(beads).enqueue).toEqual(['urgent', 'old-a', 'old-b', 'young'])
    expect(schedule(beads).codes).toEqual({
      urgent: 'starting',
      'old-a': 'starting',
      'old-b': 'starting',
      young: 'behind_others',
    })
  })

  test('has a slot kept for the bead of best priority, queued or not, and those queued before it wait', () => {
    const beads = [bead('a'), bead('b', { priority: 0 })]
    const first = schedule(beads, { slots: 1, queued: [queued('a')] })
    expect(first).toMatchObject({ start: [], enqueue: ['b'], texts: { a: 'the free slots go to b first' } })
    const second = schedule(beads, { slots: 1, queued: [queued('a'), queued('b')] })
    expect(second.start).toEqual([sampleExecution('b')])
  })

  test('queues a thousand of a project ahead, and more only to start them', () => {
    const beads = Array.from({ length: 1_500 }, (_, at) => bead(`b-${at}`, { createdAt: at }))
    expect(schedule(beads).enqueue).toHaveLength(1_000)
    const ahead = beads.slice(100, 1_100).map(({ id }) => queued(id, { byAutopilot: true, retryAt: NOW + 1 }))
    expect(schedule(beads, { queued: ahead }).enqueue).toEqual(['b-0', 'b-1', 'b-2'])
  })

  test('does not retry a bead that it has tried, and says what a person can do', () => {
    const beads = [
      bead('open'),
      bead('failed', { status: 'in_progress' }),
      bead('stuck', { status: 'blocked' }),
      bead('slow', { status: 'timeout' }),
    ]
    const result = schedule(beads, {}, { tried: new Set(beads.map(({ id }) => id)) })
    expect(result.enqueue).toEqual([])
    expect(result.texts).toEqual({
      open: 'it has already run: run it again by hand',
      failed: 'its last execution failed: see why, then run it again by hand',
      stuck: 'its agent is blocked: answer it, then run the bead again',
      slow: 'its last execution timed out: run it again by hand',
    })
  })

  test('leaves a bead that needs a person to a person, who can still queue it', () => {
    const beads = [bead('ask', { labels: ['beadloom', 'needs-human'] }), bead('go', { labels: ['beadloom'] })]
    const result = schedule(beads)
    expect(result).toMatchObject({ enqueue: ['go'], codes: { ask: 'needs_human' } })
    expect(result.texts['ask']).toBe('needs you: read what it asks for, then run it')
    expect(schedule(beads, {}, { autopilot: false }).codes).toEqual({ ask: 'needs_human', go: 'manual' })
    expect(schedule(beads, { queued: [queued('ask')] }).start).toEqual([sampleExecution('ask')])
  })

  test('queues nothing while nothing can start', () => {
    const docker: Reason = { code: 'no_docker', text: 'Docker does not answer: start it' }
    const model: Reason = { code: 'no_model', text: 'no model configured: set OPENAI_API_KEY' }
    const a = [bead('a')]
    expect(schedule(a, { obstacle: docker })).toMatchObject({ enqueue: [], texts: { a: docker.text } })
    expect(schedule(a, { obstacle: docker }, { obstacle: model })).toMatchObject({
      enqueue: [],
      texts: { a: model.text },
    })
    expect(schedule(a, {}, { paused: true })).toMatchObject({ enqueue: [], codes: { a: 'project_paused' } })
  })

  test('when off leaves a ready bead to a person, however often it was tried', () => {
    const result = schedule([bead('a'), bead('b')], {}, { autopilot: false, tried: new Set([parseBeadId('b')]) })
    expect(result).toMatchObject({ start: [], enqueue: [], codes: { a: 'manual', b: 'manual' } })
  })
})
