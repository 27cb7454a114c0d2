import { describe, expect, test } from 'vitest'
import { imagesToRemove, LAYER_MS, REPLACED_MS, type KnownImage } from './unused-images.ts'

const NOW = 1_000 * LAYER_MS
const made = (name: string, usedAgo: number, more: Partial<KnownImage> = {}): KnownImage => ({ name, project: 'demo', isProjects: true, usedAt: NOW - usedAgo, isNeeded: false, ...more }) // prettier-ignore
const layer = (name: string, usedAgo: number, more: Partial<KnownImage> = {}) => made(name, usedAgo, { project: null, isProjects: false, ...more }) // prettier-ignore
const over = (images: KnownImage[], projects = ['demo']) => imagesToRemove(images, new Set(projects), NOW)

describe('an image goes', () => {
  test('when its project is removed', () => {
    expect(over([made('a', 0), made('b', 0, { project: 'gone' })])).toEqual(['b'])
  })

  test('when two newer ones have replaced it and nobody has used it for a week', () => {
    const images = [made('a', 0), made('b', REPLACED_MS), made('c', REPLACED_MS + 1), made('d', REPLACED_MS - 1)]
    expect(over(images)).toEqual(['b', 'c'])
    expect(over(images.slice(0, 2))).toEqual([])
  })

  test('when it is a layer with nothing on top, after a month', () => {
    expect(over([layer('a', LAYER_MS), layer('b', LAYER_MS - 1)])).toEqual(['a'])
  })
})

describe('an image stays', () => {
  test('while a container or another image needs it', () => {
    const needed = { isNeeded: true }
    expect(over([made('a', 0, { project: 'gone', ...needed }), layer('b', 9 * LAYER_MS, needed)])).toEqual([])
  })

  test('when another server made it', () => {
    expect(over([made('a', 9 * LAYER_MS, { project: null })])).toEqual([])
  })
})
