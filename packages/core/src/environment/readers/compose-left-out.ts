import { canBeService } from '../../services/service-name.ts'
import { fieldsOf, listOf, textOf, type Fields } from '../formats/records.ts'
import { serviceImage } from './compose-service.ts'

/*
 * Beadloom does not support every setting of a compose file's services. Each such setting has a sentence: otherwise a
 * person without a database would look for the mistake in the tests.
 */

/** Services that end before their dependents begin, such as one that migrates a database. */
export const jobsAmong = (services: Fields): ReadonlySet<string> =>
  new Set(
    Object.values(services)
      .flatMap((service) => Object.entries(fieldsOf(fieldsOf(service)['depends_on'])))
      .filter(([, on]) => fieldsOf(on)['condition'] === 'service_completed_successfully')
      .map(([name]) => name),
  )

/** Null: the service is used. */
export function whyLeftOut(name: string, service: Fields, jobs: ReadonlySet<string>): string | null {
  if (listOf(service['profiles']).length > 0)
    return 'compose starts it only where its profile is asked for. If the tests need it, name it under "services" in beadloom.json.'
  if (jobs.has(name))
    return 'it ends before the others begin, and Beadloom starts only what runs on. Let the tests do its work, or their command.'
  if (!canBeService(name))
    return 'its name cannot be that of a host here, which has letters, digits, - and _. Give it another one, also under "services" in beadloom.json.'
  if (serviceImage(service['image']) !== null) return null
  if (service['extends'] !== undefined)
    return '"extends" is not followed, and there is no image beside it. Name it under "services" in beadloom.json.'
  const image = textOf(service['image'])
  if (image === null) return null
  return image.includes('$')
    ? `its image, ${image.slice(0, LONGEST)}, has a variable without a default. Write one (\${NAME:-…}), or name it under "services" in beadloom.json.`
    : `${image.slice(0, LONGEST)} is not a valid image name.`
}

const LONGEST = 200

/** Sentences about settings that a started service lacks. `command`: as it was read. */
export function missingIn(name: string, service: Fields, command: string[] | null): string[] {
  const lacks: string[] = []
  if (service['extends'] !== undefined)
    lacks.push(`Only what the service ${name} says itself is taken: "extends" is not followed.`)
  if (service['env_file'] !== undefined && !isEmpty(service['env_file']))
    lacks.push(
      `The service ${name} has no variables of its "env_file", which is often in no repository. Write those that it needs under "environment".`,
    )
  if (!isEmpty(service['command']) && command === null)
    lacks.push(
      `The service ${name} runs its image's own command: "command" has a variable without a default, or cannot be read.`,
    )
  if (!isEmpty(service['entrypoint']))
    lacks.push(
      `The service ${name} has its image's own entrypoint. Say under "command" what else it has to run, or make an image of it.`,
    )
  return lacks
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
