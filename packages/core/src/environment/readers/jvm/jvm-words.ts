import { linesOf } from '../../formats/lines.ts'
import type { Folder } from '../../files/repository-files.ts'

/** The number of a Java: `1.8` has been called 8 since, and `17.0.2` is 17. */
export const javaNumber = (version: string): string => version.replace(/^1\.(?=[5-9]\b)/, '').split('.')[0] ?? version

/** The version in `distributionUrl=…/gradle-8.7-bin.zip`; null: any. */
export function wrapperVersion(folder: Folder, file: string, tool: 'maven' | 'gradle'): string | null {
  const line = linesOf(folder.text(file) ?? '').find((one) => one.startsWith('distributionUrl'))
  const [, found = null] = new RegExp(`${tool}-(\\d[\\d.]{0,20}\\d)`).exec(line?.slice(0, 500) ?? '') ?? []
  return found
}
