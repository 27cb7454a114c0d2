import type { Reading } from '../../found.ts'
import type { Folder } from '../../repository-files.ts'
import { gradle, GRADLE_FILES, hasGradleWrapper } from './gradle.ts'
import { maven } from './maven.ts'

/** Maven or Gradle; a project that has both is built by the one whose wrapper is there. */
export function jvm(folder: Folder): Reading | null {
  const builds = GRADLE_FILES.some((name) => folder.has(name))
  if (folder.has('pom.xml') && !(builds && hasGradleWrapper(folder) && !folder.has('mvnw'))) return maven(folder)
  return builds ? gradle(folder) : null
}
