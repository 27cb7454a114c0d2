{{- define "beadloom.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-beadloom" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "beadloom.selector" -}}
app.kubernetes.io/name: beadloom
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "beadloom.labels" -}}
{{ include "beadloom.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "beadloom.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{/* config.json: the values, and the cluster as an engine if they name none. */}}
{{- define "beadloom.config" -}}
{{- $images := dict }}
{{- with .Values.sandboxes.registry }}{{ $_ := set $images "registry" . }}{{ end }}
{{- with .Values.sandboxes.pullSecret }}{{ $_ := set $images "pullSecret" . }}{{ end }}
{{- $kubernetes := dict "namespace" .Values.sandboxes.namespace "images" $images }}
{{- with .Values.sandboxes.runtimeClass }}{{ $_ := set $kubernetes "runtimeClass" . }}{{ end }}
{{- with .Values.sandboxes.probe }}{{ $_ := set $kubernetes "probe" . }}{{ end }}
{{- $kubernetes = merge $kubernetes .Values.sandboxes.more }}
{{- $config := deepCopy .Values.config }}
{{- if and (not (hasKey $config "engines")) .Values.sandboxes.registry }}
{{- $config = merge $config (dict "engines" (dict "cluster" (dict "kubernetes" $kubernetes)) "engine" "cluster") }}
{{- end }}
{{- toPrettyJson $config }}
{{- end }}

{{- define "beadloom.host" -}}
{{- $people := default (dict) .Values.config.people }}
{{- required "ingress.enabled needs config.people.address: people sign in there, and nobody could otherwise (docs/people.md)" $people.address | trimPrefix "https://" | trimPrefix "http://" | trimSuffix "/" }}
{{- end }}
