import { expect, test } from 'vitest'
import type { Engine } from '../../ports/engine.ts'
import { EngineFacts } from './engine-facts.ts'

test('an engine that the server does not have is named before anybody looks', () => {
  const facts = new EngineFacts({ names: ['local', 'box'], nameOf: String, of: (name) => ({ name }) as Engine })
  expect(facts.obstacle('box')).toMatchObject({ text: 'box: not checked yet' })
  expect(facts.obstacle('nope')).toMatchObject({
    code: 'engine_away',
    text: expect.stringMatching(/^nope: config\.json names no engine "nope"\. Name it under "engines"/),
  })
})
