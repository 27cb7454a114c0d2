/** An image that sandboxes start from, or a layer below one. Times are milliseconds UTC, sizes bytes. */
export type KnownImage = {
  name: string
  /** The project whose `setup` ran in it, if this server made or used it; null: a layer that projects share, or another server's. */
  project: string | null
  /** Made by a project's `setup`, on this or another server. */
  isProjects: boolean
  usedAt: number
  /** A container was made from it, or one of our images is built on it. */
  isNeeded: boolean
}

/** The images kept for each project: the one in use, and the previous one, in case somebody goes back. */
export const KEPT_IMAGES = 2
const DAY_MS = 24 * 3_600_000
/** An image that a newer one has replaced is removed after this time without use. */
export const REPLACED_MS = 7 * DAY_MS
/** The same for a layer without images on it. It takes minutes and a registry to make again. */
export const LAYER_MS = 30 * DAY_MS

/** Names of images that nobody needs any more. Another server's images are never among them. */
export function imagesToRemove(images: readonly KnownImage[], projects: ReadonlySet<string>, now: number): string[] {
  return images.filter((image) => !image.isNeeded && isOver(image, images, projects, now)).map(({ name }) => name)
}

function isOver(image: KnownImage, all: readonly KnownImage[], projects: ReadonlySet<string>, now: number): boolean {
  const { name, project, isProjects, usedAt } = image
  if (!isProjects) return now - usedAt >= LAYER_MS
  if (project === null) return false
  if (!projects.has(project)) return true
  const newest = all.filter((one) => one.isProjects && one.project === project).toSorted(byUse)
  return now - usedAt >= REPLACED_MS && !newest.slice(0, KEPT_IMAGES).some((one) => one.name === name)
}

const byUse = (a: KnownImage, b: KnownImage): number => b.usedAt - a.usedAt || (a.name < b.name ? -1 : 1)
