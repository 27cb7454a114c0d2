import { isImage } from '../../project/setting-texts.ts'
import { commandClaim, place, toolClaim, unreadable } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { fieldsOf, listOf, textOf, wordOf, type Fields } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'
import type { Place, Reading, Refusal, ToolClaim } from '../found.ts'
import { folderOf, pathFrom } from '../repository-path.ts'
import type { Folder } from '../repository-files.ts'
import { LIFECYCLE, lifecycleCommand } from './devcontainer-commands.ts'
import { refusalsOf, takesFromTheHost } from './devcontainer-refusals.ts'
import { newestIsAny, toolNamed } from './tool-names.ts'

const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json']

/**
 * What a devcontainer is made of. Nothing is handed on to a program that would evaluate it: such a file may name the
 * environment of whoever evaluates it (`${localEnv:…}`), and folders outside of the repository.
 */
export function devcontainer(folder: Folder): Reading | null {
  const file = FILES.find((name) => folder.has(name))
  if (file === undefined) return null
  const text = folder.text(file)
  const json = text === null ? null : readJson(text)
  if (text === null || !isObject(json)) return { notes: [unreadable(folder, file, 'a JSON object')] }
  const placeOf = (...path: string[]): Place => place(folder, file, jsonLine(text, path))
  const refused = refusalsOf(json, placeOf)
  // Its paths are meant from its own folder.
  const around = folderOf(folder.at(file))
  return {
    devcontainer: {
      file: folder.at(file),
      ...imageOf(json, placeOf, refused),
      ...buildOf(json, around, placeOf, refused),
      features: Object.keys(fieldsOf(json['features'])).filter(isFeature).slice(0, MOST_FEATURES),
      ...composeOf(json, around, placeOf, refused),
    },
    tools: featureTools(json, placeOf),
    commands: LIFECYCLE.flatMap((key) => {
      const command = lifecycleCommand(json[key])
      if (command !== null && takesFromTheHost(command)) {
        refused.push(fromTheHost(key, placeOf(key)))
        return []
      }
      return commandClaim(folder, 'devcontainer', 'setup', command, placeOf(key), 'said')
    }),
    refused,
  }
}

type PlaceOf = (...path: string[]) => Place

const MOST_FEATURES = 50

/** `ghcr.io/devcontainers/features/go:1`; one in a folder of the repository begins with `./`. */
const isFeature = (name: string): boolean => /^[\w./:@-]{1,200}$/.test(name) && !name.split('/').includes('..')

/** A feature that installs a toolchain names its version in its options. */
function featureTools(json: Fields, placeOf: PlaceOf): ToolClaim[] {
  return Object.entries(fieldsOf(json['features']))
    .filter(([name]) => isFeature(name))
    .slice(0, MOST_FEATURES)
    .flatMap(([name, options]) => {
      const tool = toolNamed(/([\w-]+)(?::[\w.]+)?$/.exec(name)?.[1] ?? '')
      const version = wordOf(isObject(options) ? options['version'] : options)
      return tool === null ? [] : toolClaim(tool, newestIsAny(version), placeOf('features', name))
    })
}

const fromTheHost = (what: string, from: Place): Refusal => ({
  what,
  why: 'It takes values from the environment of the machine that Beadloom runs on, which no container may see. Write the value itself, or leave it out.',
  from,
})

function imageOf(json: Fields, placeOf: PlaceOf, refused: Refusal[]): { image: string | null } {
  const image = textOf(json['image'])
  if (image === null) return { image: null }
  if (takesFromTheHost(image)) refused.push(fromTheHost('image', placeOf('image')))
  else if (isImage(image)) return { image }
  else
    refused.push({ what: 'image', why: 'It is not the name of an image, so it is not used.', from: placeOf('image') })
  return { image: null }
}

/** `build.dockerfile`, and `dockerFile` as it was written before. */
function buildOf(
  json: Fields,
  folder: string,
  placeOf: PlaceOf,
  refused: Refusal[],
): { dockerfile: string | null; context: string | null } {
  const build = fieldsOf(json['build'])
  const old = textOf(json['dockerFile'])
  const written = textOf(build['dockerfile']) ?? old
  if (written === null) return { dockerfile: null, context: null }
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
  const dockerfile = inside(where.join('.'), written, where)
  const around = textOf(build['context']) ?? textOf(json['context'])
  const context =
    around === null ? folder : inside('build.context', around, build['context'] ? ['build', 'context'] : ['context'])
  return dockerfile === null || context === null ? { dockerfile: null, context: null } : { dockerfile, context }
}

function composeOf(
  json: Fields,
  folder: string,
  placeOf: PlaceOf,
  refused: Refusal[],
): { composeFiles: string[]; composeService: string | null } {
  const written = json['dockerComposeFile']
  const files = (Array.isArray(written) ? listOf(written) : [written]).slice(0, 10)
  const composeFiles = files.flatMap((one) => {
    const path = textOf(one)
    const found = path === null ? null : pathFrom(folder, path)
    if (path !== null && found === null)
      refused.push({
        what: 'dockerComposeFile',
        why: 'It leads out of the repository, where Beadloom reads nothing.',
        from: placeOf('dockerComposeFile'),
      })
    return found === null ? [] : [found]
  })
  return { composeFiles, composeService: composeFiles.length > 0 ? textOf(json['service']) : null }
}
