{{/* The names that every object of this release begins with. */}}
{{- define "recebe.name" -}}
{{- if contains "recebe" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-recebe" (.Release.Name | trunc 33 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "recebe.selector" -}}
app.kubernetes.io/name: recebe
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "recebe.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
{{ include "recebe.selector" . }}
{{- end }}

{{/* The image. Takes a list: the root, and a tag of its own or nothing. */}}
{{- define "recebe.image" -}}
{{- $root := index . 0 }}
{{- $image := $root.Values.image }}
{{- $tag := index . 1 }}
{{- if and $image.digest (not $tag) -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $tag | default $image.tag | default $root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* What every pod has, whatever it runs. */}}
{{- define "recebe.pod" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "recebe.container" -}}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Pods of one kind are put on different machines, if there are some. Takes a list: the root, and the component. */}}
{{- define "recebe.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "recebe.selector" (index . 0) | nindent 8 }}
        app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Settings of API and workers. */}}
{{- define "recebe.settings" -}}
PUBLIC_URL: {{ .Values.publicUrl | quote }}
METRICS_PORT: "9464"
TEMPORAL_ADDRESS: {{ .Values.temporal.address | quote }}
TEMPORAL_NAMESPACE: {{ .Values.temporal.namespace | quote }}
TEMPORAL_TASK_QUEUE: {{ .Values.temporal.taskQueue | quote }}
{{- if or .Values.temporal.tls .Values.temporal.certificateSecretName }}
TEMPORAL_TLS: "true"
{{- end }}
{{- if .Values.temporal.certificateSecretName }}
TEMPORAL_TLS_CA: /etc/recebe/temporal/ca.crt
TEMPORAL_TLS_CERT: /etc/recebe/temporal/tls.crt
TEMPORAL_TLS_KEY: /etc/recebe/temporal/tls.key
{{- end }}
{{- with .Values.notifications }}
{{- if .enabled }}
NOTIFICATIONS_URL: {{ .url | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "recebe.env-from" -}}
envFrom:
  - configMapRef: { name: {{ include "recebe.name" . }} }
  - secretRef: { name: {{ .Values.secretName }} }
{{- end }}

{{/* A changed setting starts new pods. */}}
{{- define "recebe.pod-annotations" -}}
recebe/settings: {{ include "recebe.settings" . | sha256sum }}
prometheus.io/scrape: "true"
prometheus.io/port: "9464"
prometheus.io/path: /metrics
{{- end }}

{{/* Certificates as files. Takes a list: the root, and whether those of the notifications' port belong to them. */}}
{{- define "recebe.mounts" -}}
{{- $values := (index . 0).Values }}
{{- if or $values.temporal.certificateSecretName (index . 1) }}
volumeMounts:
  {{- if $values.temporal.certificateSecretName }}
  - { name: temporal, mountPath: /etc/recebe/temporal, readOnly: true }
  {{- end }}
  {{- if index . 1 }}
  - { name: notifications, mountPath: /etc/recebe/notifications, readOnly: true }
  {{- end }}
{{- end }}
{{- end }}

{{- define "recebe.volumes" -}}
{{- $values := (index . 0).Values }}
{{- if or $values.temporal.certificateSecretName (index . 1) }}
volumes:
  {{- with $values.temporal.certificateSecretName }}
  - { name: temporal, secret: { secretName: {{ . }}, defaultMode: 0440 } }
  {{- end }}
  {{- if index . 1 }}
  - { name: notifications, secret: { secretName: {{ $values.notifications.certificateSecretName }}, defaultMode: 0440 } }
  {{- end }}
{{- end }}
{{- end }}
