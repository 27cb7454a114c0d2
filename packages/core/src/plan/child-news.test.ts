import { describe, expect, test } from 'vitest'
import type { Bead } from '../records/bead.ts'
import { sampleBead } from '../testing/sample-bead.ts'
import { childNews, isToClose, whyLeftOut } from './child-news.ts'
import { planOf, subtaskOf } from './plan-kit.ts'

const plan = planOf([subtaskOf('e-1', { title: 'Add a login', description: 'With a form.' })])
const child = (patch: Partial<Bead> = {}) =>
  sampleBead('e-1', { title: 'Add a login', description: 'With a form.', ...patch })
const done = child({ status: 'done', trackerStatus: 'closed' })
const removed = child({ trackerStatus: 'tombstone' })
const deleted = child({ status: 'done', trackerStatus: 'tombstone' })
const news = (one: Bead | null) => childNews('e-1', one, plan)

describe('a child of an epic that has not begun', () => {
  test('is left out if somebody closed it, or it left the tracker', () => {
    expect(whyLeftOut('e-1', done, 'e')).toBe('e-1 was closed before it began, so it is left out of the plan of e')
    expect(whyLeftOut('e-1', child({ trackerStatus: 'pinned' }), 'e')).toContain('e-1 was pinned before it began')
    for (const one of [removed, deleted, null])
      expect(whyLeftOut('e-1', one, 'e')).toBe('e-1 is no longer in the tracker, so it is left out of the plan of e')
  })

  test('is done if it is open, also with other texts', () => {
    expect(whyLeftOut('e-1', child(), 'e')).toBeNull()
    expect(whyLeftOut('e-1', child({ status: 'in_progress', title: 'Another' }), 'e')).toBeNull()
  })
})

describe('a child whose phase was approved', () => {
  test('is closed if it still says what was done', () => {
    expect(isToClose(plan, child())).toBe(true)
    expect(isToClose(plan, child({ status: 'blocked' }))).toBe(true)
  })

  test('stays open if somebody changed its texts, and is not closed twice', () => {
    expect(isToClose(plan, child({ title: 'Add a logout' }))).toBe(false)
    for (const one of [done, removed, deleted, null]) expect(isToClose(plan, one)).toBe(false)
  })

  test('is closed although the plan does not know it: nothing contradicts it', () => {
    expect(isToClose(planOf([]), child())).toBe(true)
  })
})

describe('the news about a child whose phase is done', () => {
  test('are none while it is closed', () => {
    expect(news(done)).toBeNull()
    expect(news(child({ trackerStatus: 'pinned' }))).toBeNull()
  })

  test('say that it was reopened', () => {
    expect(news(child())).toContain('e-1 was reopened after its phase was done')
  })

  test('say which of its texts changed', () => {
    expect(news(child({ title: 'Add a logout' }))).toContain('the title of e-1 changed')
    expect(news(child({ title: 'Add a logout', description: 'No form.' }))).toContain(
      'the title and the description of',
    )
  })

  test('say that it was removed, whatever its texts', () => {
    for (const one of [null, removed, deleted, { ...removed, title: 'Another' }])
      expect(news(one)).toContain('left the tracker')
  })

  test('end with a way on, but for a child that nobody can run any more', () => {
    for (const one of [child(), child({ title: 'Add a logout' })])
      expect(news(one)).toMatch(/\. Run it by itself, or the epic again, /)
    for (const one of [null, removed, deleted]) expect(news(one)).toMatch(/the changes made for it stay in this work$/)
  })
})
