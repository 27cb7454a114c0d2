import { MOST_REGISTRY_NAME, REGISTRY_FORM, registryName } from '@beadloom/core/project/registry-name.ts'
import { z } from 'zod/mini'

const text = z.string().check(z.minLength(1), z.maxLength(500))
const dnsName = z
  .string()
  .check(z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a name as Kubernetes has them'))

/** Folders that are writable anyway, or must neither lie below a writable folder nor contain one. */
const taken = [
  '/workspace',
  '/home/agent',
  '/tmp',
  '/var/tmp',
  '/var/lib/beadloom',
  '/run/beadloom',
  '/opt/beadloom',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/files',
]
const MOST_FOLDERS = 20
const FOLDER_FORM = 'must be the absolute path of a folder, without "..": "/go"'

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
const overlap = (a: string, b: string): boolean => isWithin(a, b) || isWithin(b, a)

const folder = z.string().check(
  z.maxLength(200),
  z.regex(/^(\/(?!\.{1,2}(\/|$))[\w.@+-]+)+$/, FOLDER_FORM),
  z.refine(
    (path) => !taken.some((one) => overlap(path, one)),
    `must neither hold one of ${taken.join(', ')}, nor lie in it`,
  ),
)

/** The cluster whose pods are sandboxes. */
export const kubernetesSettings = z.strictObject({
  /** Absent: the file that `kubectl` would use, or the server's own pod. */
  kubeconfig: z.optional(text),
  context: z.optional(text),
  namespace: dnsName,
  /** A RuntimeClass whose pods have no network. Absent: a policy denies it, and each pod proves that it does. */
  runtimeClass: z.optional(dnsName),
  /** `HOST:PORT` that a pod without a policy reaches, to prove that one with a policy does not. */
  probe: z.optional(z.string().check(z.regex(/^[\w.-]+:\d{1,5}$/, 'must be HOST:PORT'))),
  images: z
    .strictObject({
      /** Images are pushed to it and pulled from it. */
      registry: z.optional(z.string().check(z.maxLength(MOST_REGISTRY_NAME), z.regex(registryName, REGISTRY_FORM))),
      /** The name of a Secret in the namespace with which nodes pull; never read by the server. */
      pullSecret: z.optional(dnsName),
      /** Instead: a command that reads images in the format of `docker save`. */
      load: z.optional(z.array(text).check(z.minLength(1), z.maxLength(50))),
    })
    .check(
      z.refine(
        ({ registry, load }) => (registry === undefined) !== (load === undefined),
        'must have "registry" or "load", and not both',
      ),
    ),
  /** A queue of Kueue (LocalQueue) in the namespace, which admits pods when there is quota. */
  queue: z.optional(dnsName),
  /** The share of its CPU and memory limits that a pod requests. */
  cpuRequest: z.optional(z.number().check(z.minimum(0.01), z.maximum(1))),
  memoryRequest: z.optional(z.number().check(z.minimum(0.01), z.maximum(1))),
  /** The most that a pod may write to its node's disk. */
  diskGib: z.optional(z.number().check(z.minimum(1), z.maximum(10_000))),
  /**
   * Folders of the image that a sandbox may write to: `/go`. Beyond workspace, home and scratch, others are read-only.
   */
  writable: z.optional(
    z.array(folder).check(
      z.maxLength(MOST_FOLDERS),
      z.refine(
        (all) => all.every((one, at) => !all.slice(at + 1).some((other) => overlap(one, other))),
        'must not have a folder twice, or one that lies in another',
      ),
    ),
  ),
  /** `true`: pods have users of their own, without rights on the node. Its kernel and runtime must support that. */
  userNamespaces: z.optional(z.boolean()),
})

export type KubernetesSettings = z.infer<typeof kubernetesSettings>
