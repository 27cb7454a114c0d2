import type { Reading } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { gradle, GRADLE_FILES, hasGradleWrapper } from './gradle.ts'
import { maven } from './maven.ts'

/** Maven or Gradle; if a project has both, the one with a wrapper builds it. */
export function jvm(folder: Folder): Reading | null {
  const builds = GRADLE_FILES.some((name) => folder.has(name))
  if (folder.has('pom.xml') && !(builds && hasGradleWrapper(folder) && !folder.has('mvnw'))) return maven(folder)
  return builds ? gradle(folder) : null
}
