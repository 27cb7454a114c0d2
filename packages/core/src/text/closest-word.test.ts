import { expect, test } from 'vitest'
import { closestWord } from './closest-word.ts'

const words = ['test', 'setup', 'autopilot', 'techStack', 'agentVersion']

test.each([
  ['tset', 'test'],
  ['tests', 'test'],
  ['Setup', 'setup'],
  ['autoPilott', 'autopilot'],
  ['techstak', 'techStack'],
  ['tst', 'test'],
  ['build', null],
  ['x', null],
  ['', null],
])('"%s" is taken for a misspelt %s', (given, meant) => {
  expect(closestWord(given, words)).toBe(meant)
})
