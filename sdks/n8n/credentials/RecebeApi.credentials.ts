import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

/** A key of one environment of a store, and the service that it belongs to. */
export class RecebeApi implements ICredentialType {
  name = 'recebeApi';

  displayName = 'Recebe API';

  icon: Icon = { light: 'file:../icons/recebe.svg', dark: 'file:../icons/recebe.dark.svg' };

  documentationUrl = 'http://localhost:3000/docs/guides/n8n';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'http://localhost:3000',
      required: true,
      placeholder: 'e.g. https://pay.example.com',
      description: 'The address of your Recebe service',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'A key from the dashboard. A dev key simulates payments; a production key moves money. Give it only the permissions that your workflows need.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  /** Reads the store. A key without STORE:READ is refused here, but works in nodes that do not need it. */
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "").replace(/\\/v2$/, "")}}',
      url: '/v2/store/get',
    },
  };
}
