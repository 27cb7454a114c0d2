import { expect, test } from 'vitest'
import { planWaits, refusalToQueue, whyUnusable, type QueueFacts } from './refusal-to-queue.ts'

const claim = { text: 'claimed by ann in bd', tracker: 'bd' }

test.each<[QueueFacts, string, string]>([
  [{ status: 'open', live: 'queued' }, 'already_live', 'it is already queued'],
  [{ status: 'in_progress', live: 'running' }, 'already_live', 'it is already running'],
  [{ status: 'done' }, 'done', 'it is done; reopen it first'],
  [{ status: 'open', notWork: 'an epic is not run itself' }, 'not_work', 'an epic is not run itself'],
  [{ status: 'open', reminderOf: 'bl-1' }, 'reminder', 'it is only a reminder; run bl-1 instead'],
  [
    { status: 'open', isStale: true },
    'not_asked',
    'it does not wait for this answer any more: it was answered or closed, or has run since',
  ],
  [
    { status: 'open', claim },
    'claimed',
    'it is claimed by ann in bd: it can run once it is open there again (bd update bl-2 --status open --assignee "")',
  ],
  [
    { status: 'open', claim: { ...claim, tracker: '.beads/issues.jsonl' } },
    'claimed',
    'it is claimed by ann in bd: it can run once it is open there again',
  ],
  [{ status: 'open', unusable: 'no such agent' }, 'agent_unusable', 'no such agent'],
  [{ status: 'open', inPlanOf: 'bl-3' }, 'in_plan', 'it is part of the running plan of bl-3: it is done there'],
])('a bead with %j is refused as %s', (facts, code, text) => {
  expect(refusalToQueue('it', 'bl-2', facts)).toEqual({ code, text })
})

test.each(['open', 'in_progress', 'blocked', 'timeout'] as const)('a bead that is %s can be queued', (status) => {
  const nothing = { live: null, notWork: null, reminderOf: null, isStale: false, claim: null, unusable: null }
  expect(refusalToQueue('it', 'bl-2', { status, ...nothing, inPlanOf: null })).toBeNull()
})

test('the earliest reason is told, and a sentence may name the bead', () => {
  const refusal = refusalToQueue('the bead bl-2', 'bl-2', { status: 'done', claim, inPlanOf: 'bl-3' })
  expect(refusal?.text).toBe('the bead bl-2 is done; reopen it first')
})

test('a plan that nobody has approved keeps its bead from being queued', () => {
  expect(planWaits('bl-2', 3).text).toBe(
    'the plan of bl-2 (version 3) waits for your approval. See it: beadloom plan bl-2; approve it: beadloom plan bl-2 --approve',
  )
})

test('a choice needs what its agent and its model need', () => {
  const own = { command: null, scenario: null, agent: 'codex', beads: { 'bl-2': { agent: 'openai' } } }
  expect(whyUnusable(own, 'bl-1', { agent: 'command' })).toContain('set "command"')
  expect(whyUnusable(own, 'bl-1', { model: 'scripted' })).toContain('set "scenario"')
  expect(whyUnusable({ ...own, scenario: 'demo' }, 'bl-1', { model: 'scripted' })).toBeNull()
  expect(whyUnusable(own, 'bl-1', { retryOnFailure: true })).toContain('codex works on bl-1')
  expect(whyUnusable(own, 'bl-2', { retryOnFailure: true })).toBeNull()
  expect(whyUnusable(null, 'bl-1', {})).toBeNull()
})
