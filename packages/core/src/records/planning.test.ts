import { describe, expect, test } from 'vitest'
import { nextForBead, usualWhen, type KnownPlan } from './planning.ts'
import { nineSubtasks, subtaskOf } from '../plan/plan-kit.ts'

const bead = (some: { type?: string; labels?: string[]; baseBranch?: string } = {}) => ({
  type: 'task',
  labels: [],
  ...some,
})
const auto = { when: 'auto', approve: 'never' } as const
const ask = { when: 'auto', approve: 'ask' } as const
const plan: KnownPlan = { version: 3, plan: { subtasks: nineSubtasks }, approvedAt: null }
const single = { do: 'work', version: null }

describe('a bead without a plan', () => {
  test.each([
    ['an epic', bead({ type: 'epic' }), { do: 'plan' }],
    ['a feature', bead({ type: 'feature' }), { do: 'plan' }],
    ['anything labelled so', bead({ labels: ['plan'] }), { do: 'plan' }],
    ['a task', bead(), single],
    ['what continues failed work', bead({ type: 'feature', baseBranch: 'beads-bl-1' }), single],
  ])('is planned by default if it is large: %s', (_, what, next) => {
    expect(nextForBead(what, auto, null)).toEqual(next)
  })

  test('is always or never planned if the project, the bead or this execution says so', () => {
    expect(nextForBead(bead(), { ...auto, when: 'always' }, null)).toEqual({ do: 'plan' })
    expect(nextForBead(bead({ type: 'epic' }), { ...auto, when: 'never' }, null)).toEqual(single)
    expect(nextForBead(bead({ type: 'epic' }), auto, null, { when: 'never' })).toEqual(single)
    expect(nextForBead(bead(), auto, null, { when: 'never' }, { when: 'always' })).toEqual({ do: 'plan' })
  })
})

describe('a bead with a plan', () => {
  test('is worked on by it, whoever made it, and whatever its type', () => {
    expect(nextForBead(bead(), { ...auto, when: 'never' }, plan)).toEqual({ do: 'work', version: 3 })
  })

  test('waits for a person if that is wanted, until it is approved', () => {
    expect(nextForBead(bead(), ask, plan)).toEqual({ do: 'wait', version: 3 })
    expect(nextForBead(bead(), ask, { ...plan, approvedAt: 1 })).toEqual({ do: 'work', version: 3 })
    expect(nextForBead(bead(), ask, plan, { approve: 'never' })).toEqual({ do: 'work', version: 3 })
    expect(nextForBead(bead(), auto, plan, {}, { approve: 'ask' })).toEqual({ do: 'wait', version: 3 })
  })

  test('of fewer than two subtasks is one session’s work, and nobody is asked', () => {
    const small = { ...plan, plan: { subtasks: [subtaskOf('1')] } }
    expect(nextForBead(bead({ type: 'epic' }), ask, small)).toEqual(single)
  })

  test('is done in one session if this execution should have none', () => {
    expect(nextForBead(bead(), ask, plan, {}, { when: 'never' })).toEqual(single)
  })
})

test.each([
  ['openai', {}, 'auto'],
  ['codex', {}, 'auto'],
  ['command', {}, 'never'],
  ['command', { command: 'plan.sh' }, 'auto'],
  ['command', { agent: 'openai' }, 'auto'],
  ['openai', { agent: 'command' }, 'never'],
] as const)(
  'with %s as author and %j as architect, %s is the default: a command for work answers no questions',
  (author, given, when) => {
    expect(usualWhen(author, given)).toBe(when)
  },
)
