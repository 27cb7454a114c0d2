import { expect, test } from 'vitest'
import { filesOf } from '../../testing/sample-repository.ts'
import { look } from '../look.ts'
import { officialImage } from './official-image.ts'

test.each<[string, Record<string, string>, string | undefined]>([
  ['Node.js 24 is in our own', { 'package.json': '{"engines":{"node":">=20"}}' }, undefined],
  ['an older Node.js is not', { 'package.json': '{"engines":{"node":"^20"}}' }, 'node:20-bookworm'],
  ['an exact version is taken as it is', { '.nvmrc': 'v20.11.1', 'package.json': '{}' }, 'node:20.11.1-bookworm'],
  ['the newest that fits', { 'pyproject.toml': '[project]\nrequires-python = ">=3.12,<3.14"' }, 'python:3.13-bookworm'],
  ['our own where any will do', { 'requirements.txt': '' }, undefined],
  ['a Go that is new enough', { 'go.mod': 'go 1.22\n' }, 'golang:1.25-bookworm'],
  ['the Go that is named', { 'go.mod': 'go 1.22\ntoolchain go1.22.3\n' }, 'golang:1.22.3-bookworm'],
  ['Rust', { 'Cargo.toml': '[package]\nrust-version = "1.70"' }, 'rust:1-bookworm'],
  ['the oldest Java that is enough', { 'pom.xml': '<release>11</release>' }, 'maven:3-eclipse-temurin-11'],
  ['.NET', { 'A.csproj': '<TargetFramework>net8.0</TargetFramework>' }, 'mcr.microsoft.com/dotnet/sdk:8.0'],
  ['Ruby', { Gemfile: 'ruby "~> 3.3"' }, 'ruby:3.4-bookworm'],
  ['none has several languages', { 'go.mod': 'go 1.22\n', 'package.json': '{}' }, undefined],
])('%s', (_, files, image) => {
  expect(officialImage(look(filesOf(files)).tools)?.image).toBe(image)
})
