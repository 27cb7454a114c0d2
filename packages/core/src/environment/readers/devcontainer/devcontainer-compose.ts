import { place } from '../../claims.ts'
import { fieldsOf, textOf } from '../../formats/records.ts'
import { readYaml } from '../../formats/yaml-text.ts'
import type { Devcontainer, Dockerfile, Refusal } from '../../found.ts'
import { folderOf, pathFrom } from '../../files/repository-path.ts'
import type { Folder } from '../../files/repository-files.ts'
import { serviceImage, variablesOf } from '../compose-service.ts'

type Workspace = Pick<Devcontainer, 'image' | 'dockerfile' | 'from'>

/** The image or Dockerfile of the service that people work in. Null: no file names one. Paths are from the root. */
export function composeWorkspace(
  root: Folder,
  { composeFiles, composeService }: Pick<Devcontainer, 'composeFiles' | 'composeService'>,
  refused: Refusal[],
): Workspace | null {
  for (const file of composeService === null ? [] : composeFiles) {
    const yaml = readYaml(root.text(file) ?? '')
    const service = fieldsOf(fieldsOf(fieldsOf(yaml?.value)['services'])[composeService ?? ''])
    const from = place(root, file, yaml?.line(['services', composeService ?? '']) ?? null)
    if (service['build'] !== undefined) {
      const dockerfile = buildOf(service['build'], folderOf(file))
      if (dockerfile) return { image: null, dockerfile, from }
      const why = 'It leads out of the repository, where Beadloom reads nothing.'
      refused.push({ what: `services.${composeService}.build`, why, from })
      return null
    }
    const image = serviceImage(service['image'])
    if (image !== null) return { image, dockerfile: null, from }
  }
  return null
}

/** A folder, or an object; the path of the Dockerfile is relative to the folder. */
function buildOf(value: unknown, folder: string): Dockerfile | null {
  const build = fieldsOf(value)
  const context = pathFrom(folder, textOf(value) ?? textOf(build['context']) ?? '.')
  const path = context === null ? null : pathFrom(context, textOf(build['dockerfile']) ?? 'Dockerfile')
  const target = textOf(build['target'])
  if (context === null || path === null) return null
  const stage = target !== null && /^[\w][\w.-]{0,99}$/.test(target) ? target : null
  return { path, context, args: variablesOf(build['args']), target: stage }
}
