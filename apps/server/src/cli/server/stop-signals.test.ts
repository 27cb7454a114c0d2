import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { untilAskedToStop } from './stop-signals.ts'

function world(connected = false) {
  const exits: number[] = []
  const process = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code), connected })
  const clock = new HandClock()
  const asked = untilAskedToStop(process, clock)
  return { exits, process, clock, asked }
}

test('the copies of one Ctrl-C, from the terminal, npm and the script before us, count as one', async () => {
  const { exits, process, clock, asked } = world()
  process.emit('SIGINT')
  process.emit('SIGINT')
  await clock.advance(100)
  process.emit('SIGINT')
  await asked
  expect(exits).toEqual([])
})

test('a second Ctrl-C stops the wait', async () => {
  const { exits, process, clock, asked } = world()
  process.emit('SIGTERM')
  await asked
  await clock.advance(1_000)
  process.emit('SIGINT')
  expect(exits).toEqual([130])
})

test('the end of the script that started us stops the server, without hurry', async () => {
  const { exits, process, clock, asked } = world(true)
  process.emit('SIGINT')
  await clock.advance(1_000)
  process.emit('disconnect')
  await asked
  expect(exits).toEqual([])
})
