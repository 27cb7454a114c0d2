import { isImage } from '../../../text/setting-texts.ts'
import { fieldsOf, textOf, type Fields } from '../../formats/records.ts'
import { literalVariables } from '../../devcontainer/variables.ts'
import type { Dockerfile, Place, Refusal } from '../../found.ts'
import { pathFrom } from '../../files/repository-path.ts'
import { takesFromTheHost } from './devcontainer-refusals.ts'

export type PlaceOf = (...path: string[]) => Place

export const fromTheHost = (what: string, from: Place): Refusal => ({
  what,
  why: 'It takes values from the environment of the machine that Beadloom runs on, which no container may see. Write the value itself, or leave it out.',
  from,
})

export function imageOf(json: Fields, placeOf: PlaceOf, refused: Refusal[]): string | null {
  const image = textOf(json['image'])
  if (image === null) return null
  if (takesFromTheHost(image)) refused.push(fromTheHost('image', placeOf('image')))
  else if (isImage(image)) return image
  else
    refused.push({ what: 'image', why: 'It is not the name of an image, so it is not used.', from: placeOf('image') })
  return null
}

/** `build.dockerfile`, or `dockerFile`, its older form. */
export function dockerfileOf(json: Fields, folder: string, placeOf: PlaceOf, refused: Refusal[]): Dockerfile | null {
  const build = fieldsOf(json['build'])
  const old = textOf(json['dockerFile'])
  const written = textOf(build['dockerfile']) ?? old
  if (written === null) return null
  const where = old === null ? ['build', 'dockerfile'] : ['dockerFile']
  const inside = (what: string, path: string, at: string[]): string | null => {
    const found = pathFrom(folder, path)
    if (found === null)
      refused.push({
        what,
        why: 'It leads out of the repository, where Beadloom reads nothing. Move what it needs into the repository.',
        from: placeOf(...at),
      })
    return found
  }
  const path = inside(where.join('.'), written, where)
  const around = textOf(build['context']) ?? textOf(json['context'])
  const context =
    around === null ? folder : inside('build.context', around, build['context'] ? ['build', 'context'] : ['context'])
  if (path === null || context === null) return null
  const target = textOf(build['target'])
  // Another name would fail the build; no stage of a Dockerfile has a name with other characters.
  const stage = target !== null && /^[\w][\w.-]{0,99}$/.test(target) ? target : null
  return { path, context, args: literalVariables(build['args']), target: stage }
}
