import type { EngineImage } from '../../ports/engine.ts'
import { EngineError } from '../../ports/engine.ts'
import type { DockerClient } from '../docker-client.ts'
import { statusOf } from '../docker-error.ts'
import { keyOf } from '../sandboxes/environment-tag.ts'

type Found = { Id: string; ParentId: string; RepoTags: string[] | null; Size: number; Created: number }

const OURS = 'beadloom/'

/** Every image with a name of ours, whichever server made it. */
export async function listImages(client: DockerClient): Promise<EngineImage[]> {
  const listed = (path: string) =>
    client.call('list the images', (signal) => client.request({ method: 'GET', path, query: { all: true }, signal }))
  const found = (await listed('/images/json')) as Found[]
  const containers = (await listed('/containers/json')) as { ImageID: string }[]
  const used = new Set(containers.map(({ ImageID }) => ImageID))
  const byId = new Map(found.map((image) => [image.Id, image]))
  const named = found.flatMap((image) => tagsOf(image).map((name) => ({ name, image })))
  /** Images below one with a name of ours. */
  const below = new Set(named.flatMap(({ image }) => ancestorsOf(image, byId)))
  return named.map(({ name, image }) => ({
    name,
    key: keyOf(name),
    bytes: image.Size,
    ownBytes: ownBytesOf(image, byId),
    createdAt: image.Created * 1000,
    isUsed: used.has(image.Id),
    isBelow: below.has(image.Id),
  }))
}

/** Removes without force: Docker refuses an image that anybody's container was made from. */
export async function removeImage(client: DockerClient, name: string): Promise<void> {
  try {
    await client.call(`remove the image ${name}`, (signal) =>
      client.request({ method: 'DELETE', path: `/images/${name}`, signal }),
    )
  } catch (error) {
    if (!(error instanceof EngineError && statusOf(error) === 404)) throw error
  }
}

/** Podman puts the name of a registry in front. */
const tagsOf = ({ RepoTags }: Found): string[] =>
  (RepoTags ?? []).map((tag) => tag.replace(/^(localhost|docker\.io)\//, '')).filter((tag) => tag.startsWith(OURS))

function ancestorsOf({ ParentId }: Found, byId: ReadonlyMap<string, Found>): string[] {
  const ids: string[] = []
  for (let parent = byId.get(ParentId); parent && !ids.includes(parent.Id); parent = byId.get(parent.ParentId))
    ids.push(parent.Id)
  return ids
}

/** The bytes that it adds to the next image below with a name of ours; null: the engine does not say what is below. */
function ownBytesOf(image: Found, byId: ReadonlyMap<string, Found>): number | null {
  const below = ancestorsOf(image, byId)
  if (below.length === 0) return null
  const next = below.map((id) => byId.get(id)).find((one) => one && tagsOf(one).length > 0)
  return image.Size - (next?.Size ?? 0)
}
