import { place, unreadable } from '../claims.ts'
import { fieldsOf } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'
import { readYaml } from '../formats/yaml-text.ts'
import type { Confidence, Note, Reading, Refusal, ServiceClaim } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { MOST_SERVICES } from '../../services/service-name.ts'
import { jobsAmong, missingIn, whyLeftOut } from './compose-left-out.ts'
import { commandOf, healthOf, serviceImage, variablesOf } from './compose-service.ts'

/** In the order in which compose looks for them. */
export const COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

/** Services that run an image. A service that is built from the repository is the project itself. */
export function compose(folder: Folder): Reading | null {
  const file = COMPOSE_FILES.find((name) => folder.has(name))
  return file === undefined ? null : composeIn(folder, file, 'hint')
}

/** `confidence` is the file's; a compose file is often for production. `except`: the service that is the workspace. */
export function composeIn(
  folder: Folder,
  file: string,
  confidence: Confidence,
  except: string | null = null,
): Reading | null {
  const text = folder.text(file)
  if (text === null) return null
  const yaml = readYaml(text)
  if (yaml === null || !isObject(yaml.value)) return { notes: [unreadable(folder, file, 'YAML')] }
  const services: ServiceClaim[] = []
  const refused: Refusal[] = []
  const notes: Note[] = []
  const all = fieldsOf(yaml.value['services'])
  const jobs = jobsAmong(all)
  for (const [name, value] of Object.entries(all)) {
    const service = fieldsOf(value)
    if ('build' in service || name === except) continue
    const image = serviceImage(service['image'])
    const from = place(folder, file, yaml.line(['services', name]))
    const why = whyLeftOut(name, service, jobs)
    if (image === null || why !== null) {
      if (why !== null) notes.push({ text: `The service ${name} is left out: ${why}`, from })
      continue
    }
    if (services.length === MOST_SERVICES) {
      notes.push({
        text: `${from.file} has more than ${MOST_SERVICES} services. Only the first ${MOST_SERVICES} are taken, because each attempt starts all of them.`,
        from,
      })
      break
    }
    const command = commandOf(service['command'])
    services.push({
      name,
      image,
      env: variablesOf(service['environment']),
      ...(command && { command }),
      health: healthOf(service['healthcheck']),
      from,
      confidence,
    })
    for (const text of missingIn(name, service, command)) notes.push({ text, from })
    for (const key of WEAKER.filter((one) => one in service && service[one] !== false))
      refused.push({
        what: `services.${name}.${key}`,
        why: 'It would weaken the container or show it the machine, so no service of Beadloom gets it.',
        from: place(folder, file, yaml.line(['services', name, key])),
      })
    if (hasAny(service['volumes']))
      refused.push({
        what: `services.${name}.volumes`,
        why: 'A service starts empty each time and sees no folder of the repository or the machine. What it needs at the start must be in its image or loaded by the tests.',
        from: place(folder, file, yaml.line(['services', name, 'volumes'])),
      })
  }
  return { services, refused, notes }
}

/** An empty `volumes:` asks for nothing. */
const hasAny = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const WEAKER = ['privileged', 'cap_add', 'security_opt', 'devices', 'network_mode', 'pid', 'ipc', 'userns_mode']
