import { commandClaim, place, unreadable } from '../../claims.ts'
import { knownFeature } from '../../devcontainer/known-features.ts'
import { knownImage } from '../../devcontainer/known-images.ts'
import { localFeature } from '../../devcontainer/local-feature.ts'
import { literalVariables } from '../../devcontainer/variables.ts'
import { jsonLine, readJson } from '../../formats/json-text.ts'
import { isObject } from '../../../text/json-object.ts'
import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import type { Feature, Place, Reading, Refusal } from '../../found.ts'
import { folderOf, pathFrom } from '../../files/repository-path.ts'
import type { Folder } from '../../files/repository-files.ts'
import { dockerfileOf, fromTheHost, imageOf, type PlaceOf } from './devcontainer-build.ts'
import { isWhole, LATER, LIFECYCLE, lifecycleCommand } from './devcontainer-commands.ts'
import { composeWorkspace } from './devcontainer-compose.ts'
import { devcontainerFile } from './devcontainer-file.ts'
import { refusalsOf, takesFromTheHost } from './devcontainer-refusals.ts'

/**
 * Reads a devcontainer. The file is given to no program that would evaluate it: it may name the evaluating user's
 * environment (`${localEnv:…}`), and folders outside of the repository.
 */
export function devcontainer(folder: Folder): Reading | null {
  const { file, notes } = devcontainerFile(folder)
  if (file === null) return notes.length === 0 ? null : { notes }
  const text = folder.text(file)
  const json = text === null ? null : readJson(text)
  if (text === null || !isObject(json)) return { notes: [unreadable(folder, file, 'a JSON object')] }
  const placeOf = (...path: string[]): Place => place(folder, file, jsonLine(text, path))
  const refused = refusalsOf(json, placeOf)
  // Its paths are relative to its own folder.
  const around = folderOf(folder.at(file))
  const composed = composeOf(json, around, placeOf, refused)
  const { image, dockerfile, from } = composeWorkspace(folder, composed, refused) ?? {
    image: imageOf(json, placeOf, refused),
    dockerfile: dockerfileOf(json, around, placeOf, refused),
    from: placeOf(['image', 'build', 'dockerFile'].find((key) => json[key] !== undefined) ?? ''),
  }
  for (const key of LATER)
    if (lifecycleCommand(json[key]) !== null)
      refused.push({
        what: key,
        why: 'It is meant for the start of the container, or for an editor that connects, so it does not run. Put what the tests need into "setup" in beadloom.json.',
        from: placeOf(key),
      })
  const features = featuresOf(json, folder, around, placeOf, refused)
  return {
    devcontainer: {
      file: folder.at(file),
      image,
      dockerfile,
      from,
      features,
      env: { ...literalVariables(json['containerEnv']), ...literalVariables(json['remoteEnv']) },
      ...composed,
    },
    tools: [
      ...features.flatMap((one) => (one.is === 'tools' ? one.tools : [])),
      ...(image === null || dockerfile !== null ? [] : (knownImage(image, from) ?? [])),
    ],
    commands: LIFECYCLE.flatMap((key) => {
      const command = lifecycleCommand(json[key])
      if (!isWhole(json[key]))
        refused.push({
          what: key,
          why: 'A part of it is not a command, so that part does not run: a command is a text, or a list of texts, or several of these by name.',
          from: placeOf(key),
        })
      if (command !== null && takesFromTheHost(command)) {
        refused.push(fromTheHost(key, placeOf(key)))
        return []
      }
      return commandClaim(folder, 'devcontainer', 'setup', command, placeOf(key), 'said')
    }),
    refused,
  }
}

const MOST_FEATURES = 50

/** `ghcr.io/devcontainers/features/go:1`; a feature in a folder of the repository begins with `./`. */
const isFeature = (name: string): boolean => /^[\w./:@-]{1,200}$/.test(name)

function featuresOf(json: Fields, folder: Folder, around: string, placeOf: PlaceOf, refused: Refusal[]): Feature[] {
  return Object.entries(fieldsOf(json['features']))
    .filter(([id]) => isFeature(id))
    .slice(0, MOST_FEATURES)
    .flatMap(([id, options]): Feature[] => {
      const from = placeOf('features', id)
      if (id.startsWith('./') || id.startsWith('../')) {
        const local = localFeature(folder, around, id, options, from, refused)
        return local === null ? [] : [local]
      }
      const known = knownFeature(id, options, from)
      if (known.is !== 'engine') return [{ id, from, ...known }]
      refused.push({
        what: `features.${id}`,
        why: 'It needs privileges, or a container engine within the container, so it is left out. Leave out the tests that need it.',
        from,
      })
      return []
    })
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
