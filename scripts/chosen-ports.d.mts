export type PortSetting =
  | 'PORT'
  | 'RECEBE_POSTGRES_PORT'
  | 'RECEBE_TEMPORAL_PORT'
  | 'RECEBE_TEMPORAL_UI_PORT';
export type ChosenPorts = Record<PortSetting, number | undefined>;
export declare function readPorts(): ChosenPorts;
export declare function requireFreePorts(ports: Partial<ChosenPorts>): Promise<void>;
