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
])('who wrote "%s" meant %s', (given, meant) => {
  expect(closestWord(given, words)).toBe(meant)
})
