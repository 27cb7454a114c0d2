import type { Edits, Exercise } from './exercise.ts'
import { sabotages, type Kind, type LanguageKit, type Sabotage } from './sabotage.ts'

export const bases = ['stub', 'green'] as const
/**
 * `stub`: the tests are red on the base, as if a bead should make them pass. `green`: they are proved green, and the
 * work breaks the tested code.
 */
export type Base = (typeof bases)[number]

/** One piece of submitted work. `id` is the same in every run of the same set. */
export type Trial = {
  id: string
  exercise: Exercise
  base: Base
  kind: Kind
  way: string
  edits: Edits | ((until: number) => Edits)
}

/** All trials on one exercise. `ways`: so many ways of each sabotage, taken in turn. */
export function trialsOf(exercise: Exercise, kit: LanguageKit, at: number, ways: number): Trial[] {
  return bases.flatMap((base) => {
    const trial = (kind: Kind, way: string, edits: Trial['edits']): Trial => {
      const id = [exercise.language, base, exercise.name, kind, slug(way)].filter(Boolean).join('.')
      return { id, exercise, base, kind, way, edits }
    }
    const { stub, reference } = exercise
    const commented = (files: Record<string, string>): Edits => {
      const [path = '', text = ''] = Object.entries(files)[0] ?? []
      return { [path]: kit.comment(text) }
    }
    // If the base is right, the work breaks it; if it is a stub, the work leaves it a stub.
    const own = kit.wrong?.(exercise)
    const wrong = own ?? (base === 'green' ? { ...removed(reference), ...stub } : commented(stub))
    const texts = own ?? { ...stub, ...commentedTexts(wrong, stub) }
    const cheats = (exercise.stubPasses ? [] : (Object.keys(sabotages) as Sabotage[])).flatMap((kind) => {
      if (kind === 'nop') return [trial('nop', '', wrong)]
      const all = kit.ways[kind]
      const chosen = Math.min(ways, all.length)
      return Array.from({ length: chosen }, (_, nth) => all[(at * chosen + nth) % all.length]).flatMap((way) => {
        const edits = way?.edits(exercise, texts)
        return way && edits ? [trial(kind, way.name, { ...wrong, ...edits })] : []
      })
    })
    const good =
      base === 'green'
        ? [trial('comment', '', commented(reference))]
        : [
            trial('oracle', '', { ...removed(stub), ...reference }),
            trial('flaky', '', (until) => ({ ...removed(stub), ...reference, ...kit.flaky(exercise, until) })),
          ]
    return [...cheats, ...good]
  })
}

const removed = (files: Record<string, string>): Edits =>
  Object.fromEntries(Object.keys(files).map((path) => [path, null]))

const commentedTexts = (edits: Edits, stub: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(edits).flatMap(([path, edit]) => (typeof edit === 'string' && path in stub ? [[path, edit]] : [])),
  )

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
