import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { showBases, type SeenBase } from './base-progress.ts'

async function toldOf(states: readonly SeenBase['base'][]): Promise<string[]> {
  const clock = new HandClock()
  const stop = new AbortController()
  const lines: string[] = []
  let base: SeenBase['base'] = null
  let seq = 0
  const showing = showBases(
    () => seq,
    () => [{ project: 'lib', workBranch: 'beadloom/work', base }],
    (line) => lines.push(line),
    clock,
    stop.signal,
  )
  for (base of states) {
    seq++
    for (let look = 0; look < 3; look++) await clock.advance(1_000)
  }
  stop.abort()
  await clock.advance(1_000)
  await showing
  return lines
}

const doing = (text: string) => ({ state: 'proving', text }) as const

test('each step of checking a base is reported once, and so is its end', async () => {
  const steps = [doing('preparing'), doing('installing packages'), doing('installing packages')]
  expect(await toldOf([...steps, { state: 'green', text: '' }, { state: 'green', text: '' }])).toEqual([
    '  lib        checking beadloom/work: preparing',
    '  lib        checking beadloom/work: installing packages',
    '✓ lib        beadloom/work is ready for beads',
  ])
})

test('a base that was found fit before is not mentioned', async () => {
  expect(await toldOf([null, { state: 'green', text: '' }])).toEqual([])
})

test('an obstacle that keeps everything from starting is reported, and its text cannot control the terminal', async () => {
  expect(await toldOf([{ state: 'broken', text: 'setup\u001b[2J failed' }])).toEqual([
    '✕ lib        nothing starts. setup failed',
  ])
})
