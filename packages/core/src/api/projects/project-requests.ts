import { z } from 'zod/mini'
import { MOST_REGISTRY_NAME, REGISTRY_FORM, registryName } from '../../project/registry-name.ts'

export const AddProject = z.strictObject({
  /** A path on the server's machine or a URL. */
  source: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** Default: from the last part of `source`. */
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  /** The branch that work starts from. Default: as the default branch's `beadloom.json` says, or that branch itself. */
  base: z.optional(z.string().check(z.minLength(1), z.maxLength(900))),
})
export type AddProject = z.infer<typeof AddProject>

export const PushImage = z.strictObject({
  /** Default: the registry of the project's engine. */
  registry: z.optional(z.string().check(z.maxLength(MOST_REGISTRY_NAME), z.regex(registryName, REGISTRY_FORM))),
})
export type PushImage = z.infer<typeof PushImage>

export const ChangeProject = z.strictObject({ autopilot: z.optional(z.nullable(z.boolean())) })
export type ChangeProject = z.infer<typeof ChangeProject>
