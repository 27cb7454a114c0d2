import { createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { lazyPart } from './lazy-part.ts'

const drawn = (part: ReturnType<typeof lazyPart<object>>): string =>
  renderToString(createElement(Suspense, { fallback: 'loading' }, createElement(part.Part)))

const soon = () => Promise.resolve(() => 'the part')

test('a part that was loaded ahead is drawn at once, another one after "loading"', async () => {
  const late = lazyPart(soon)
  expect(drawn(late)).toContain('loading')

  const early = lazyPart(soon)
  early.ahead()
  await soon()
  await soon()
  expect(drawn(early)).toContain('the part')
  expect(drawn(early)).not.toContain('loading')
})

test('a part that could not be loaded ahead is requested again', async () => {
  let asked = 0
  const part = lazyPart(() => (asked++ === 0 ? Promise.reject(new Error('no line')) : soon()))
  part.ahead()
  await soon()
  await soon()
  part.ahead()
  await soon()
  await soon()
  expect(drawn(part)).toContain('the part')
  expect(asked).toBe(2)
})
