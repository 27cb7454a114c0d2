import { describe, expect, test } from 'vitest'
import { sampleBead as bead } from '../testing/sample-bead.ts'
import { ignoring, isIgnoreRule, usuallyIgnored } from './ignored.ts'

describe('by default a bead is left out', () => {
  const usual = ignoring(usuallyIgnored)
  test.each([
    ['an agent', bead('gt-a1', { labels: ['gt:agent'] }), 'label:gt:agent'],
    ['a role', bead('gt-a2', { labels: ['x', 'gt:role'] }), 'label:gt:role'],
    ['a rig', bead('gt-a3', { labels: ['gt:rig'] }), 'label:gt:rig'],
    ['a convoy, by its type', bead('hq-cv-1', { type: 'convoy' }), 'type:convoy'],
    ['a molecule, by its id', bead('gt-mol-abc.1'), 'id:*-mol-*'],
  ])('that is %s of Gas Town', (_, one, rule) => {
    expect(usual(one)).toBe(rule)
  })

  test.each([
    ['work for one of its agents', bead('gt-b1', { labels: ['agent', 'gt:sling'] })],
    ['a bead of a project called mol', bead('mol-1')],
    ['an epic', bead('gt-b2', { type: 'epic' })],
  ])('and %s is not', (_, one) => {
    expect(usual(one)).toBeNull()
  })
})

test.each([
  ['label:a*', 'ab', true],
  ['label:a*', 'ba', false],
  ['label:*a', 'ba', true],
  ['label:a*b*c', 'a-b-c', true],
  ['label:a*b*c', 'a-c-b', false],
  ['label:ab*ba', 'aba', false],
  ['label:*b*', 'abc', true],
  ['label:*', 'anything', true],
])('%s and the label %s: %s', (rule, label, is) => {
  expect(ignoring([rule])(bead('x-1', { labels: [label] }))).toBe(is ? rule : null)
})

test('a rule names the field that it looks at, and has a name', () => {
  expect(['label:x', 'type:gate', 'id:*-mol-*'].every(isIgnoreRule)).toBe(true)
  expect(['gt:agent', 'label:', 'label: ', 'title:x', ''].some(isIgnoreRule)).toBe(false)
})
