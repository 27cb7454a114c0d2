import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { Refused, exitCode } from '../exit-code.ts'
import { whileCtrlCEnds } from './ctrl-c.ts'

test('one Ctrl-C, which arrives twice, ends the work in order', async () => {
  const program = new EventEmitter()
  const over = Promise.withResolvers<void>()
  let stop: AbortSignal | null = null
  const done = whileCtrlCEnds((signal) => ((stop = signal), over.promise), program)
  program.emit('SIGINT')
  // Without a listener the second signal would kill the process.
  expect(program.emit('SIGINT')).toBe(true)
  expect(stop).toMatchObject({ aborted: true })
  over.reject(new Refused('cancelled', 'it was not added: that was cancelled.'))
  await expect(done).rejects.toMatchObject({ exit: exitCode.interrupted })
  expect(program.listenerCount('SIGINT')).toBe(0)
})

test('work that is not interrupted keeps its own end', async () => {
  const refused = new Refused('exists', 'it is there already')
  await expect(whileCtrlCEnds(() => Promise.reject(refused), new EventEmitter())).rejects.toBe(refused)
  await expect(whileCtrlCEnds(async () => 7, new EventEmitter())).resolves.toBe(7)
})
