import type { ProjectId } from '@beadloom/core/ids.ts'

export type ImageUse = { name: string; project: ProjectId | null; usedAt: number }

/** When images were last of use. A project's stay known when it is removed, until they are gone. */
export interface ImageStore {
  /**
   * It is of use now. `project`: this server makes it for that one, or starts from it; null: whoever's it is. `checkedOut`: the
   * commit in it; absent: what was known of that.
   */
  noteImages(images: readonly { name: string; project: ProjectId | null; checkedOut?: string }[]): void
  forgetImages(names: readonly string[]): void
  images(): ImageUse[]
  /** The commit that is checked out in it; null where that is not known. */
  checkedOutIn(name: string): string | null
}
